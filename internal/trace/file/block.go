package file

import (
	"fmt"
	"math"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Columns says what of the calls is wanted; the rest is left zero, which saves the time of decoding it.
type Columns uint

// What may be left out.
const (
	Sites       Columns = 1 << iota
	Sizes               // Part.Bytes
	Collectives         // Part.Seq and Part.What
	Ordinals            // Part.Nth
	Outcomes            // Block.Outcomes
	Choices             // Op.Nth of calls with Op.Choice, and Wait.At of what they wait for
	Polls               // Block.Polls
	All         = 1<<iota - 1
)

// Block is some consecutive calls of one thread. Its slices are used again for the next block.
type Block struct {
	Defs   *Defs  // of the file up to here; names of communicators and sites are complete only at its end
	Thread uint32 // index in Defs.Threads
	// FirstOp, FirstPart and FirstWait are how many the thread had before the block.
	FirstOp, FirstPart, FirstWait uint32
	Ops                           []trace.Op   // First and WaitAt count from the thread's begin
	Parts                         []trace.Part // Matched and MatchedTag are op.Unknown, Gone is not set: see Outcomes
	Waits                         []trace.Wait // Thread is an index in Defs.Threads; Done is not set
	Outcomes                      []Outcome
	Returned                      uint32       // calls of the thread, from its begin, that are known to have returned
	Polls                         []trace.Poll // WaitAt is an index in PollWaits
	PollWaits                     []trace.Wait // as Waits
}

// Outcome is what became known of an earlier call of a thread.
type Outcome struct {
	Kind   OutcomeKind
	Number uint32
	Rank   op.Rank // Matched
	Tag    int32   // Matched
}

// decode fills b from a payload. The error says what is wrong in it.
func (b *Block) decode(h *header, raw []byte, want Columns) error {
	var cols [numColumns]cursor
	rest := cursor{b: raw}
	for i := range cols {
		n := rest.count()
		cols[i].b, rest.b = rest.b[:n], rest.b[n:]
	}
	if rest.bad || len(rest.b) > 0 || int(h.thread) >= len(b.Defs.Threads) {
		return fmt.Errorf("columns whose lengths differ from the header")
	}
	// Every element takes a byte at least, so that no count can exceed what is there.
	if int(h.ops) > len(cols[colFn].b) || int(h.parts) > len(cols[colPart].b) || int(h.waits) > len(cols[colWait].b) ||
		int(h.outcomes) > len(cols[colOutcome].b) || int(h.polls) > len(cols[colPoll].b) {
		return fmt.Errorf("fewer elements than the header says")
	}
	b.Thread, b.Returned = h.thread, h.returned
	b.FirstOp, b.FirstPart, b.FirstWait = h.firstOp, h.firstPart, h.firstWait
	b.Ops, b.Parts = sized(b.Ops, int(h.ops)), sized(b.Parts, int(h.parts))
	b.Waits, b.Outcomes = sized(b.Waits, int(h.waits)), b.Outcomes[:0]
	b.Polls, b.PollWaits = b.Polls[:0], b.PollWaits[:0]
	if !b.ops(&cols, want) || !b.parts(&cols, want) || !b.waits(&cols, want) {
		return fmt.Errorf("impossible numbers")
	}
	if want&Outcomes != 0 && !b.outcomes(&cols, int(h.outcomes)) {
		return fmt.Errorf("impossible outcomes")
	}
	if want&Polls != 0 && !b.polls(&cols, int(h.polls)) {
		return fmt.Errorf("impossible polls")
	}
	return nil
}

// sized is a slice of n zeroes.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (b *Block) ops(cols *[numColumns]cursor, want Columns) bool {
	fn, fl, site, started, waiting := cols[colFn], cols[colFlags], cols[colSite], cols[colStarted], cols[colWaiting]
	if len(fl.b) != len(b.Ops) {
		return false
	}
	part, wait := uint64(b.FirstPart), uint64(b.FirstWait)
	funcs, sites, last := uint64(len(b.Defs.Funcs)), uint64(len(b.Defs.Sites)), uint64(0)
	for i := range b.Ops {
		o := &b.Ops[i]
		f, n, k, m := fl.b[i], fn.next(), started.next(), waiting.next()
		if f > allFlags || n >= funcs {
			return false
		}
		o.Fn = uint16(n)
		o.Blocking, o.Any, o.Opaque, o.Final = f&flagBlocking != 0, f&flagAny != 0, f&flagOpaque != 0, f&flagFinal != 0
		o.Choice = f&flagChoice != 0
		o.First, o.Started, o.WaitAt, o.Waiting = uint32(part), uint32(k), uint32(wait), uint32(m)
		if k > maxRaw || m > maxRaw {
			return false
		}
		part, wait = part+k, wait+m
	}
	if want&Sites != 0 {
		for i := range b.Ops {
			n := site.next()
			b.Ops[i].Site = uint32(n)
			last = max(last, n)
		}
	}
	return b.choices(cols, want) && !fn.bad && !started.bad && !waiting.bad && !site.bad && last < max(1, sites) &&
		part == uint64(b.FirstPart)+uint64(len(b.Parts)) && wait == uint64(b.FirstWait)+uint64(len(b.Waits))
}

func (b *Block) choices(cols *[numColumns]cursor, want Columns) bool {
	nths := cols[colChoice]
	if want&Choices == 0 || len(nths.b) == 0 {
		return true
	}
	nth := uint32(0)
	for i := range b.Ops {
		if o := &b.Ops[i]; o.Choice {
			nth += uint32(nths.signed())
			o.Nth = nth
			nth++
		}
	}
	return !nths.bad
}

func (b *Block) parts(cols *[numColumns]cursor, want Columns) bool {
	kind, comm, peer, tag := cols[colPart], cols[colComm], cols[colPeer], cols[colTag]
	if len(kind.b) != len(b.Parts) {
		return false
	}
	comms, ranks := uint64(len(b.Defs.Comms)), int64(b.Defs.Head.Ranks)
	for i := range b.Parts {
		p := &b.Parts[i]
		k, n, r := kind.b[i], comm.next(), peer.signed()
		p.Kind, p.Wild = op.PartKind(k&7), k>>6 == 1
		p.Comm, p.Peer, p.Matched, p.MatchedTag = uint32(n), op.Rank(r), op.Unknown, int32(op.Unknown)
		if n >= comms || r < int64(op.Unknown) || r >= ranks || k>>6 > 1 {
			return false
		}
		switch p.Kind {
		case op.Send:
			p.Mode = op.SendMode(k >> 3 & 7)
			p.Tag = int32(tag.signed())
			if p.Mode > op.Buffered || p.Wild {
				return false
			}
		case op.Recv, op.Probe:
			p.Tag = int32(tag.signed())
		case op.Coll:
			p.Sync = op.Sync(k >> 3 & 7)
			if p.Sync > op.SyncLower || p.Wild {
				return false
			}
		case op.Served:
		default:
			return false
		}
	}
	if want&Sizes != 0 {
		sizes := cols[colBytes]
		for i := range b.Parts {
			if p := &b.Parts[i]; p.Kind == op.Send {
				p.Bytes = sizes.signed()
			} else {
				p.Bytes = -1
			}
		}
		if sizes.bad {
			return false
		}
	}
	return !comm.bad && !peer.bad && !tag.bad && b.collectives(cols, want) && b.ordinals(cols, want)
}

func (b *Block) collectives(cols *[numColumns]cursor, want Columns) bool {
	seqs, whats := cols[colSeq], cols[colWhat]
	if want&Collectives == 0 || len(seqs.b) == 0 {
		return true
	}
	var seq, what uint64
	for i := range b.Parts {
		if p := &b.Parts[i]; p.Kind == op.Coll {
			seq, what = seq+uint64(seqs.signed()), what+uint64(whats.signed())
			p.Seq, p.What = seq, what
			seq++
		}
	}
	return !seqs.bad && !whats.bad
}

func (b *Block) ordinals(cols *[numColumns]cursor, want Columns) bool {
	nths := cols[colNth]
	if want&Ordinals == 0 || len(nths.b) == 0 {
		return true
	}
	var send, wild uint32
	for i := range b.Parts {
		switch p := &b.Parts[i]; {
		case p.Kind == op.Send && p.Mode == op.Standard:
			send += uint32(nths.signed())
			p.Nth = send
			send++
		case p.Wild:
			wild += uint32(nths.signed())
			p.Nth = wild
			wild++
		}
	}
	return !nths.bad
}

func (b *Block) waits(cols *[numColumns]cursor, want Columns) bool {
	back, other, at := cols[colWait], cols[colOther], cols[colAt]
	threads := uint64(len(b.Defs.Threads))
	i := 0
	for k := range b.Ops {
		o := &b.Ops[k]
		end := uint64(o.First) + uint64(o.Started)
		place, placed := places{}, o.Choice && want&Choices != 0
		for range o.Waiting {
			w := &b.Waits[i]
			i++
			if placed {
				w.At = place.read(&at)
			}
			switch n := back.next(); {
			case n > end:
				return false
			case n > 0:
				w.Thread, w.Part = b.Thread, uint32(end-n)
			default:
				t, p := other.next(), other.next()
				if t >= threads || p > 1<<32-1 {
					return false
				}
				w.Thread, w.Part = uint32(t), uint32(p)
			}
		}
	}
	return !back.bad && !other.bad && !at.bad
}

func (b *Block) outcomes(cols *[numColumns]cursor, n int) bool {
	kinds, mets := cols[colOutcome], cols[colMet]
	ranks, next := int64(b.Defs.Head.Ranks), uint32(0)
	for range n {
		v := kinds.next()
		o := Outcome{Kind: OutcomeKind(v & 3), Number: next + uint32(unzigzag(v>>2))}
		next = o.Number + 1
		end := uint64(b.FirstPart) + uint64(len(b.Parts))
		switch o.Kind {
		case Matched:
			r, tag := mets.signed(), mets.signed()
			if r < int64(op.Unknown) || r >= ranks {
				return false
			}
			o.Rank, o.Tag = op.Rank(r), int32(tag)
		case Done:
			end = uint64(b.FirstWait) + uint64(len(b.Waits))
		case Failed:
			end = uint64(b.FirstOp) + uint64(len(b.Ops))
		}
		if uint64(o.Number) >= end {
			return false
		}
		b.Outcomes = append(b.Outcomes, o)
	}
	return !kinds.bad && !mets.bad
}

func (b *Block) polls(cols *[numColumns]cursor, n int) bool {
	c := cols[colPoll]
	at, nth := uint64(b.FirstOp), uint32(0)
	for range n {
		fn, flags, skipped, count := c.next(), c.next(), c.next(), c.next()
		nth += uint32(c.signed())
		site := c.next()
		at += skipped
		p := trace.Poll{Before: uint32(at), Fn: uint16(fn), Any: flags&pollAny != 0, Probe: flags&pollProbe != 0,
			Count: uint32(count),
			Nth:   nth, Site: uint32(site), WaitAt: uint32(len(b.PollWaits))}
		if c.bad || fn >= uint64(len(b.Defs.Funcs)) || flags > allPollFlags || skipped > maxOps ||
			at > uint64(b.FirstOp)+uint64(len(b.Ops)) ||
			count > math.MaxUint32 || site >= uint64(max(1, len(b.Defs.Sites))) {
			return false
		}
		nth += p.Count
		if p.Probe {
			comm, peer, tag := c.next(), c.signed(), c.signed()
			if comm >= uint64(len(b.Defs.Comms)) || peer < int64(op.Unknown) || peer >= int64(b.Defs.Head.Ranks) {
				return false
			}
			p.Comm, p.Peer, p.Tag = uint32(comm), op.Rank(peer), int32(tag)
		}
		if p.Waiting = uint32(c.count()); !b.pollWaits(&c, &p) {
			return false
		}
		b.Polls = append(b.Polls, p)
	}
	return !c.bad
}

// pollWaits reads what a poll waits for. Parts of the thread are given by the distance to the next one that it started.
func (b *Block) pollWaits(c *cursor, p *trace.Poll) bool {
	started := int64(b.FirstPart) + int64(len(b.Parts))
	if k := p.Before - b.FirstOp; int(k) < len(b.Ops) {
		started = int64(b.Ops[k].First)
	}
	place := places{}
	for range p.Waiting {
		at := place.read(c)
		thread, part := c.next(), int64(0)
		if thread == 0 {
			thread = uint64(b.Thread) + 1
			if part = started + c.signed(); part >= started {
				return false
			}
		} else {
			part = int64(c.next())
		}
		if part < 0 || part > math.MaxUint32 || thread > uint64(len(b.Defs.Threads)) {
			return false
		}
		b.PollWaits = append(b.PollWaits, trace.Wait{Thread: uint32(thread - 1), Part: uint32(part), At: at})
	}
	return !c.bad
}
