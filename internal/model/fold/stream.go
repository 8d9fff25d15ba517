// Package fold finds out that the records of a thread repeat: the last ones are, word for word, those of a period
// before. One period is kept then. What comes next is compared with it, and need not be handed on one by one: the
// reader may leave out whole periods, and gets each of the others as it was written.
//
// It takes records and gives records; what they mean, and when periods may be left out, it does not know.
package fold

import (
	"bytes"
	"cmp"
	"math/bits"
	"unsafe"

	"unknot/internal/observe/ring"
)

// Phase is how far a stream is in repeating.
type Phase uint8

// Phases.
const (
	Watching  Phase = iota // records differ from those before, as far as is known
	Learning               // those of a period are kept
	Learned                // a whole period is: it is to be accepted or refused
	Repeating              // what comes is compared with it
	Leaving                // something else comes, once what was compared has been handed on
)

// Bounds.
const (
	longest   = 1024    // records of a period
	shortest  = 8       // … that is found without a longer memory
	places    = 8       // at which a hash may stand in it
	mostWords = 1 << 14 // of a period
	leastRun  = 192     // records that must have repeated those a period before, before a period is learned
	// times the least run: records that are watched before it is clear that it does not pay to watch now
	window    = 20
	mostTries = 5 // doublings of the time that is not watched then
)

// Stream is one thread's records. Its zero value is ready.
type Stream struct {
	// Least is how many records must have repeated those a period before, before a period is learned; 0 for as many as
	// pay.
	Least uint64

	phase Phase
	past  past
	// period is how far back the record was that the last one equals, run how many in a row have done so.
	period, run uint64
	// watched are the records looked at, and taken into the past, since it has paid, rest those that are not looked at
	// before the next one is, and tries how often in a row it has not paid.
	watched, rest uint64
	tries         uint

	records []ring.Record
	words   []uint64 // of these
	out     ring.Record
	read    int // the place in the period of the record that is compared next
	hand    int // … and that is handed on next
	ahead   int // records between these
	stamp   uint32
	next    uint32 // the stamps of these two
	left    uint64 // records left out since the period was accepted
	proven  int    // how often the period had come before it was accepted
}

// past are the hashes of the last records. Its memory is as long as the stream needs: most threads repeat few calls,
// and a job has many threads.
type past struct {
	hashes []uint64 // of twice as many records as a period that is found may have
	seen   []sight  // where hashes were seen last
}

// sight is where a hash was seen; at counts the records from 1.
type sight struct{ hash, at uint64 }

// most is how many records a period may have that is found.
func (p *past) most() uint64 { return uint64(len(p.seen)) }

// at is the hash of record i.
func (p *past) at(i uint64) *uint64 { return &p.hashes[i&uint64(len(p.hashes)-1)] }

// of is where a hash was seen last, or else the place that it is to take: of those at which it may stand, the one whose
// hash was seen least recently. With one place a hash, two records of a period that share it would keep each other from
// being seen for as long as they repeat.
func (p *past) of(h uint64) *sight {
	mask := uint64(len(p.seen) - 1)
	oldest := &p.seen[h>>32&mask]
	for i := range uint64(places) {
		s := &p.seen[(h>>32+i)&mask]
		if s.hash == h && s.at > 0 {
			return s
		}
		if s.at < oldest.at {
			oldest = s
		}
	}
	return oldest
}

// grow makes the memory, which n records have filled, twice as long.
func (p *past) grow(n uint64) {
	most := max(2*p.most(), shortest)
	longer := past{make([]uint64, 2*most), make([]sight, most)}
	for i := n - uint64(len(p.hashes)); i < n; i++ {
		h := *p.at(i)
		*longer.at(i), *longer.of(h) = h, sight{h, i + 1}
	}
	*p = longer
}

// Phase is how far the stream is.
func (s *Stream) Phase() Phase { return s.phase }

// Period is the number of records of the period that is kept.
func (s *Stream) Period() int { return len(s.records) }

// Proven is how often the period had come, and was handed on, when it was accepted.
func (s *Stream) Proven() int { return s.proven }

// Hand is the place in the period of the record that Next hands on next.
func (s *Stream) Hand() int { return s.hand }

// Ahead is how many records were compared and neither handed on nor left out.
func (s *Stream) Ahead() int { return s.ahead }

// Take takes in a record that is handed on as it came. It returns the phase in which that has brought the stream; first
// says that the record is the first one of a period that is learned, which begins with one of kind Enter.
func (s *Stream) Take(r *ring.Record) (phase Phase, first bool) {
	if s.rest > 0 {
		s.rest--
		return Watching, false
	}
	again := s.again(hash(r))
	switch {
	case s.phase == Watching && !again && s.watched > window*s.least():
		s.pause()
	case s.phase == Learning && !again:
		s.phase = Watching
	case s.phase == Watching && again && s.run >= max(s.least(), 2*s.period) && r.Kind == ring.Enter:
		s.phase, first = Learning, true
		s.records, s.words = s.records[:0], s.words[:0]
	}
	if s.phase == Learning {
		s.keep(r)
	}
	return s.phase, first
}

func (s *Stream) least() uint64 { return cmp.Or(s.Least, leastRun) }

// again says whether a record equals the one a period before, and takes it in.
func (s *Stream) again(h uint64) bool {
	if (s.run == 0 || 2*s.run < s.period) && s.watched >= uint64(len(s.past.hashes)) && s.past.most() < longest {
		s.past.grow(s.watched)
	}
	i := s.watched
	s.watched++
	seen := s.past.of(h)
	same := s.period > 0 && *s.past.at(i - s.period) == h
	switch {
	case same:
		s.run++
	case seen.hash == h && seen.at > 0 && s.watched-seen.at <= s.past.most():
		s.period, s.run = s.both(s.watched-seen.at, h), 1
	default:
		s.period, s.run = 0, 0
	}
	*s.past.at(i), *seen = h, sight{h, s.watched}
	return same
}

// both is the period after a record of a hash that was seen so far back and that does not fit the present one. If that
// has not gone through even once, things that repeat in turns of two and of three may be at work: then the period is a
// multiple of both.
func (s *Stream) both(back, h uint64) uint64 {
	if s.period == 0 || s.run >= s.period {
		return back
	}
	if all := LCM(back, s.period); all <= s.past.most() && all < s.watched && *s.past.at(s.watched - 1 - all) == h {
		return all
	}
	return back
}

func (s *Stream) keep(r *ring.Record) {
	from := len(s.words)
	s.words = append(s.words, r.Words...)
	k := *r
	k.Words = s.words[from:]
	s.records = append(s.records, k)
	s.stamp = r.Stamp + 1
	switch {
	case len(s.words) > mostWords:
		s.Refuse()
	case uint64(len(s.records)) == s.period:
		s.phase = Learned
		at := 0 // words may have moved
		for i := range s.records {
			n := len(s.records[i].Words)
			s.records[i].Words = s.words[at : at+n : at+n]
			at += n
		}
	}
}

// Accept has what comes compared with the period that was learned.
func (s *Stream) Accept() {
	s.phase, s.read, s.hand, s.ahead, s.left = Repeating, 0, 0, 0, 0
	s.next, s.proven = s.stamp, int(s.run/s.period)
}

// Refuse has the stream look for another period, and not too soon.
func (s *Stream) Refuse() { s.pause() }

// pause has the stream look at nothing for a while, the longer the more often in a row it has been of no use.
func (s *Stream) pause() {
	s.tries = min(s.tries+1, mostTries)
	s.forget()
	s.rest = window * s.least() << s.tries
}

// forget begins anew.
func (s *Stream) forget() {
	s.phase, s.period, s.run, s.watched = Watching, 0, 0, 0
	s.past = past{}
}

// Match compares a record with the one that is to come; false if it is another one.
func (s *Stream) Match(r *ring.Record) bool {
	k := &s.records[s.read]
	if r.Func != k.Func || r.Kind != k.Kind || r.Site != k.Site || r.Stamp != s.stamp || !equal(r.Words, k.Words) {
		return false
	}
	s.stamp++
	s.ahead++
	if s.read++; s.read == len(s.records) {
		s.read = 0
	}
	return true
}

// Trust takes in that so many records came that are known to be those that were to come.
func (s *Stream) Trust(n int) {
	s.stamp += uint32(n)
	s.ahead += n
	s.read = (s.read + n) % len(s.records)
}

// Leave says that something else comes than is repeated. What was compared is handed on first.
func (s *Stream) Leave() {
	s.phase = Leaving
	if s.ahead == 0 {
		s.end()
	}
}

// end goes back to looking for repetitions, after a while if this one was hardly worth it.
func (s *Stream) end() {
	if s.left < s.least()/4+uint64(len(s.records)) {
		s.pause()
		return
	}
	s.tries = 0
	s.forget()
}

// Next hands on the record that comes next; there is one if Ahead says so. It is valid until the next call.
func (s *Stream) Next() *ring.Record {
	s.out = s.records[s.hand]
	s.out.Stamp = s.next
	s.next++
	s.ahead--
	if s.hand++; s.hand == len(s.records) {
		s.hand = 0
	}
	if s.phase == Leaving && s.ahead == 0 {
		s.end()
	}
	return &s.out
}

// Skip leaves out so many periods of what was compared.
func (s *Stream) Skip(periods int) {
	n := periods * len(s.records)
	s.ahead -= n
	s.next += uint32(n)
	s.left += uint64(n)
}

// hash mixes all that must be equal in records that repeat.
func hash(r *ring.Record) uint64 {
	const mix = 0x9e3779b97f4a7c15
	h := (uint64(r.Func) | uint64(r.Kind)<<16 | uint64(len(r.Words))<<24) * mix
	h = (bits.RotateLeft64(h, 29) ^ r.Site) * mix
	for _, w := range r.Words {
		h = (bits.RotateLeft64(h, 29) ^ w) * mix
	}
	return h ^ h>>31
}

// equal compares words at once: they are what most of the time goes into.
func equal(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	return bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), 8*len(a)),
		unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b))), 8*len(b)))
}
