package ring

import (
	"fmt"
	"sync/atomic"
)

// folded is how far a reader has restored the records that were counted and not written: after a Fold record, those of
// the period before it, again and again. Counts are those of RingHeader.Folded.
type folded struct {
	on     bool
	period []uint64 // a copy: the producer may overwrite it
	step   uint32   // what is added to stamps for each time that it is repeated
	shift  uint32   // what has been added by now
	at     uint64   // the word of the period at which the next record begins
	parts  bool     // some record of it is in parts
	length int      // records of it
	alike  uint64   // restored records, up to the last one that was taken, that Skim has taken since the Fold
	known  uint64   // records that there are, as far as is known
	taken  uint64   // that were restored
	done   uint64   // … and that the producer knows of
	slots  uint64   // of the record that look has returned: in the ring
	words  uint64   // … or in the period
}

// look returns what comes next, below the producer's position, without going past it: a record that was written, or one
// that was restored; ok is false if nothing does.
func (r *Ring) look(head uint64) (rec Record, ok bool, err error) {
	f := &r.folded
	for {
		if f.on {
			if f.taken == f.known && r.pos == head {
				r.count(head)
			}
			if f.taken != f.known {
				return r.again()
			}
		}
		if r.pos == head {
			return Record{}, false, nil
		}
		rec, slots, err := r.next(head)
		if err != nil {
			return rec, false, err
		}
		switch rec.Kind {
		case Pad:
		case Fold:
			if err := r.begin(rec.Words); err != nil {
				return rec, false, err
			}
		case Unfold:
			if f.known = rec.Words[UnfoldCount]; f.taken != f.known {
				if !f.on {
					return rec, false, fmt.Errorf("ring %s: %d records were not written by slot %d, where %d are known",
						r.Path, f.known, r.pos, f.taken)
				}
				continue
			}
			f.on = false
		default:
			f.on = false // the thread has left its call by a jump before it counted any
			f.slots, f.words = slots, 0
			return rec, true, nil
		}
		r.pos += slots
	}
}

// pass goes past what look has returned.
func (r *Ring) pass() {
	f := &r.folded
	if f.words == 0 {
		r.pos += f.slots
		return
	}
	f.taken++
	if f.at += f.words; f.at == uint64(len(f.period)) {
		f.at = 0
		f.shift += f.step
	}
}

// begin takes in a Fold record, which stands at the reader's position.
func (r *Ring) begin(words []uint64) error {
	slots, step, count := words[FoldPeriod], uint32(words[FoldStep]), words[FoldCount]
	if slots == 0 || slots > r.mask || count != r.folded.taken {
		return fmt.Errorf("ring %s: record at slot %d says that %d slots are repeated after %d records, expected up "+
			"to %d slots after %d", r.Path, r.pos, slots, count, r.mask, r.folded.taken)
	}
	f := folded{on: true, step: step, shift: step, taken: count, known: count, done: r.folded.done}
	from, n := ((r.pos-slots)&r.mask)*WordsNext, slots*WordsNext
	f.period = make([]uint64, 0, n)
	f.period = append(f.period, r.words[from:min(from+n, uint64(len(r.words)))]...)
	f.period = append(f.period, r.words[:n-uint64(len(f.period))]...)
	for at := uint64(0); at < n; f.length++ {
		rec, slots := record(f.period[at], 0)
		if at += slots * WordsNext; slots == 0 || at > n || rec.Kind > Data {
			return fmt.Errorf("ring %s: before slot %d there is no whole number of records to be repeated",
				r.Path, r.pos)
		}
		f.parts = f.parts || rec.Kind == Part
	}
	r.folded = f
	return nil
}

// count looks how many records there are by now. What the header says belongs to what is repeated here if nothing has
// been written since.
func (r *Ring) count(head uint64) {
	n := atomic.LoadUint64(&r.header.Folded)
	if atomic.LoadUint64(&r.header.Head) == head {
		r.folded.known = n
	}
}

// again is the next record of those that repeat.
func (r *Ring) again() (Record, bool, error) {
	f := &r.folded
	if f.known-f.taken > FoldAhead {
		return Record{}, false, fmt.Errorf("ring %s: %d records are counted and not read, expected at most %d", r.Path,
			f.known-f.taken, FoldAhead)
	}
	rec, slots := record(f.period[f.at], f.period[f.at+1])
	rec.Stamp += f.shift
	f.slots, f.words = 0, slots*WordsNext
	rec.Words = f.period[f.at+2 : f.at+f.words : f.at+f.words]
	return rec, true, nil
}

// uncounted is the number of records that were counted and not restored, as far as it is known.
func (r *Ring) uncounted() uint64 {
	f := &r.folded
	if !f.on {
		return 0
	}
	if head := atomic.LoadUint64(&r.header.Head); head == r.pos {
		r.count(head)
	}
	return f.known - f.taken
}

// restored is how much of the ring the records that were counted and restored have filled so far, for who wants to come
// again before it is full: a quarter, as a producer that has to wait for once has nothing written meanwhile.
func (r *Ring) restored() uint64 { return r.inSlots(r.folded.done) / 4 }

// inSlots is how much of the ring records fill that were counted and not written.
func (r *Ring) inSlots(records uint64) uint64 {
	return (records*(r.mask+1) + FoldAhead - 1) / FoldAhead
}

// SkimRepeated takes records that were counted and not written, at most limit of them, without looking at each: those
// of which it is certain that they equal the ones period records before, as the last ones that were taken did, and
// returns how many. Two sequences of which each repeats itself are the same if they are so for as long as both periods
// together (N. J. Fine and H. S. Wilf, 1965).
func (r *Ring) SkimRepeated(period, limit int) int {
	f := &r.folded
	there := r.uncounted()
	if !f.on || f.parts || f.alike < uint64(f.length+period) || there > FoldAhead {
		return 0 // Skim says what is wrong with too many
	}
	n := min(there, uint64(limit))
	whole := n / uint64(f.length)
	f.shift += uint32(whole) * f.step
	f.taken += whole * uint64(f.length)
	for range n % uint64(f.length) {
		_, slots := record(f.period[f.at], 0)
		f.words = slots * WordsNext
		r.pass()
	}
	return int(n)
}
