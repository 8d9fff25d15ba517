package rma

import (
	"math"

	"unknot/internal/check"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Ranks learn of each other through windows, too: by a lock that another one has released, and by reading what another
// one has written. Which rank can have learned so of which is found out when a round is over. What a rank gets by
// MPI_Get while another one puts there is no way to learn: the two conflict themselves (MPI-4.0, 12.7), whatever they
// order.

// channel is a way from rank to rank.
type channel struct {
	kind   channelKind
	win    uint64
	target op.Rank // whose memory or lock; op.Unknown: of all members
}

type channelKind uint8

// How a rank learns.
const (
	byLock     channelKind = iota // an exclusive lock, which may come after another one
	byGet                         // MPI_Get
	byAtomic                      // MPI_Fetch_and_op and the like
	fromItself                    // it reads its own memory, of the window or of any
)

// How it lets others know.
const (
	unlocked   channelKind = iota + fromItself + 1 // an exclusive lock
	unlockedBy                                     // a shared one
	put
	update
	shown // by MPI_Win_sync, or by an atomic or volatile store: what it has stored in its own memory
)

// span is bytes of a window.
type span struct{ lo, hi int64 }

var everywhere = span{math.MinInt64, math.MaxInt64}

// and is both, if there are some.
func (s span) and(o span) span {
	if s == (span{}) {
		return o
	}
	return span{min(s.lo, o.lo), max(s.hi, o.hi)}
}

func (s span) within(o span) bool { return o.lo <= s.lo && s.hi <= o.hi }

func (s span) meets(o span) bool { return s.lo < o.hi && o.lo < s.hi }

// accessed is which bytes of a window calls access. Those of calls that are read before anything of the target is, are
// found once its window is known, so that the answer does not depend on which rank is read first.
type accessed struct {
	span
	unplaced []*act
}

var anywhere = accessed{span: everywhere}

// maxUnplaced bounds the calls of which the bytes are to be found; with more it is everywhere.
const maxUnplaced = 16

func (s accessed) none() bool { return s.span == span{} && len(s.unplaced) == 0 }

// join is both.
func (s accessed) join(o accessed) accessed {
	if len(s.unplaced)+len(o.unplaced) > maxUnplaced {
		return anywhere
	}
	if o.span != (span{}) {
		s.span = s.and(o.span)
	}
	s.unplaced = append(s.unplaced[:len(s.unplaced):len(s.unplaced)], o.unplaced...)
	return s
}

// bytes is what was accessed of a member's memory as a span: everywhere if that is not known.
func (m *remote) bytes(c channel, of accessed) span {
	s := of.span
	for _, a := range of.unplaced {
		at, known := m.placed(c, a)
		if !known {
			return everywhere
		}
		s = s.and(at)
	}
	return s
}

// placed is which bytes of a member's memory a call accesses, false if that is not known.
func (m *remote) placed(c channel, a *act) (span, bool) {
	x := m.targets.windows[targetKey{c.win, c.target}]
	if x == nil {
		return span{}, false
	}
	at := &spot{act: a}
	if !x.win.locate(at) {
		return span{}, false
	}
	return span{at.lo, at.hi}, true
}

// passage is when something went through a channel, and which bytes.
type passage struct {
	when *waitstate.Moment
	last *waitstate.Moment // when a rank has learned something for the last time; nil if it may do so at any time
	accessed
}

// takes notes that a rank may learn something from now on.
func (m *remote) takes(p *knowledge, r *check.Rank, c channel, s accessed) {
	if p.round == 0 {
		return
	}
	n, at := m.round(&p.past, p.round), now(r)
	if n.takes == nil {
		n.takes = make(map[channel]passage)
	}
	first := at
	if old, known := n.takes[c]; known {
		first, s = old.when, old.join(s)
	}
	n.takes[c] = passage{first, at, s}
}

// fetching are calls of a rank that read the memory of one target and are not complete.
type fetching struct {
	calls         int
	asked         int      // of them, those with a request
	atomic, plain accessed // what those read whose place is known
	known         int
}

func (f *fetching) reads(atomic bool, s accessed) {
	f.known++
	if atomic {
		f.atomic = f.atomic.join(s)
	} else {
		f.plain = f.plain.join(s)
	}
}

// fetched notes that a rank learns what they have read.
func (m *remote) fetched(p *knowledge, r *check.Rank, w *window, target int64, f *fetching) {
	k := channel{byGet, w.id, w.world(target)}
	if f.known < f.calls {
		f.atomic = anywhere
	}
	if !f.plain.none() {
		m.takes(p, r, k, f.plain)
	}
	if !f.atomic.none() {
		k.kind = byAtomic
		m.takes(p, r, k, f.atomic)
	}
}

// gives notes that others may learn what a rank knows now.
func (m *remote) gives(p *knowledge, r *check.Rank, c channel, s accessed) {
	if p.round == 0 {
		return
	}
	n := m.round(&p.past, p.round)
	if n.gives == nil {
		n.gives = make(map[channel]passage)
	}
	if old, known := n.gives[c]; known {
		s = old.join(s)
	}
	n.gives[c] = passage{when: now(r), accessed: s}
}

// channelOf is that of a lock.
func (m *windows) channelOf(c *check.Call, kind channelKind, win, target int) channel {
	k := channel{kind: kind, target: op.Unknown}
	if w := m.of[c.Rank][c.Handle(win)]; w != nil {
		k.win = w.id
		if target < 0 {
			return k
		}
		if t, ok := c.Int(target); ok {
			k.target = w.world(t)
		}
	}
	return k
}

// released is the kind of a lock that is released.
func (m *windows) released(c *check.Call, win, target int) channelKind {
	w := m.of[c.Rank][c.Handle(win)]
	if w == nil || target < 0 {
		return unlockedBy
	}
	if t, ok := c.Int(target); ok && w.shared[t] {
		return unlockedBy
	}
	return unlocked
}

// passes notes what an RMA call lets its rank learn, and others.
func (m *remote) passes(p *knowledge, r *check.Rank, w *window, t int64, key epochKey, a *act) {
	world := w.world(t)
	bytes := anywhere
	if at, known := m.placed(channel{win: w.id, target: world}, a); known {
		bytes = accessed{span: at}
	} else if m.targets.windows[targetKey{w.id, world}] == nil {
		later := *a
		bytes = accessed{unplaced: []*act{&later}}
	}
	if f := w.fetching[t]; f != nil && a.call.Fn.Fetches() {
		f.reads(a.manner == mpi.Updates, bytes)
	}
	switch {
	case a.looks():
	case key.kind != passive:
		m.wrote(p, world, active)
	case a.manner == mpi.Updates:
		m.gives(p, r, channel{update, w.id, world}, bytes)
	default:
		m.gives(p, r, channel{put, w.id, world}, bytes)
	}
}

// hearsay finds out what a rank may have learned through windows in a round that is over, at the moment of an act that
// conflicts with another one.
type hearsay struct {
	far    *remote
	round  uint64
	act    *spot
	place  channel // the memory that the two access
	bytes  span    // those that both do
	strict bool    // anybody may have stored anything in its memory at any time, and so have informed whoever read it

	// since is a moment before which nobody can have learned what is asked for, by a call that is over then; nil if
	// there is none.
	since *waitstate.Moment
}

// maxSteps bounds a search.
const maxSteps = 1 << 14

// reaches says whether what was done before a moment of another rank may be known.
func (s *hearsay) reaches(of *waitstate.Moment) bool {
	return s.finds(func(m *waitstate.Moment) bool { return m.After(of) })
}

// finds says whether one of the moments may be known that are wanted.
func (s *hearsay) finds(wanted func(*waitstate.Moment) bool) bool {
	at := s.act.act.under.made
	if wanted(at) {
		return true
	}
	for _, r := range s.far.ranks {
		if s.far.knowledge(r).lost || r.Callbacks {
			return true
		}
	}
	type taken struct {
		rank op.Rank
		by   channel
	}
	seen := make(map[taken]bool)
	steps := 0
	todo := []*waitstate.Moment{at}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for rank, r := range s.far.ranks {
			n := s.far.knowledge(r).past.rounds[s.round]
			if n == nil {
				continue
			}
			try := func(by channel, p passage) (known bool) {
				if steps++; steps > maxSteps {
					return true
				}
				if s.since != nil && p.last != nil && p.last != s.since && s.since.After(p.last) {
					return false
				}
				if seen[taken{rank, by}] || p.when != nil && !last.After(p.when) || p.when == last &&
					by.kind != fromItself {
					return false // it is known only after the call that completes it
				}
				seen[taken{rank, by}] = true
				known = s.from(rank, by, s.far.bytes(by, p.accessed), func(when *waitstate.Moment) bool {
					steps++
					if when == nil || wanted(when) {
						return true
					}
					todo = append(todo, when)
					return false
				})
				return known
			}
			for by, p := range n.takes {
				if try(by, p) {
					return true
				}
			}
			// What a rank has in its own memory it may have read at any time.
			if rank != s.act.from || !s.act.act.under.barely {
				if try(channel{kind: fromItself}, passage{when: n.began, accessed: anywhere}) {
					return true
				}
			}
		}
	}
	return false
}

// from goes through the moments of other ranks of which one may have learned in some way, until it is known to have.
func (s *hearsay) from(rank op.Rank, by channel, bytes span, known func(*waitstate.Moment) bool) bool {
	target := by.target
	if by.kind == fromItself {
		target = rank
	}
	for x, r := range s.far.ranks {
		n := s.far.knowledge(r).past.rounds[s.round]
		if n == nil {
			continue
		}
		if x == target {
			if by.kind != byLock && s.far.touched(r, s.round, active) {
				return true
			}
			// What the owner of the memory has stored there.
			if x != rank && (by.kind == byAtomic || s.strict && by.kind == byGet && !s.itself(rank, by, bytes)) &&
				known(n.ended) {
				return true
			}
		}
		if x == rank {
			continue
		}
		for to, p := range n.gives {
			if to.target != target && to.target != op.Unknown {
				continue
			}
			written := s.far.bytes(to, p.accessed)
			if !s.passes(by, to, bytes, written) {
				continue
			}
			if by.kind == fromItself && by.win == 0 && to.win == s.place.win && to.target == s.place.target &&
				written.within(s.bytes) {
				continue // it wrote nothing there but what conflicts
			}
			if known(p.when) {
				return true
			}
		}
	}
	return false
}

// polls says that the rank of the act has looked, as far as its calls show, for what others have written to its own
// memory.
func (s *hearsay) polls() bool {
	r := s.far.ranks[s.act.from]
	if r == nil {
		return true
	}
	n, at := s.far.knowledge(r).past.rounds[s.round], s.act.act.under.made
	if n == nil {
		return false
	}
	for by, p := range n.takes {
		if by.kind == fromItself && (at == nil || p.when == nil || at.After(p.when)) &&
			(s.far.touched(r, s.round, active) ||
				s.from(s.act.from, by, s.far.bytes(by, p.accessed), func(*waitstate.Moment) bool { return true })) {
			return true
		}
	}
	return false
}

// itself says that the rank of the act has got nothing there but the bytes that conflict.
func (s *hearsay) itself(rank op.Rank, by channel, bytes span) bool {
	return rank == s.act.from && by.win == s.place.win && by.target == s.place.target && bytes.within(s.bytes)
}

// passes says whether a rank that learns in one way may learn what another one lets others know in some way, both of
// the memory of one rank.
func (s *hearsay) passes(by, to channel, read, written span) bool {
	same := by.win == to.win
	if by.kind == fromItself {
		return (to.kind == put || to.kind == update) && (same || by.win == 0)
	}
	switch to.kind {
	case unlocked:
		return same
	case unlockedBy:
		return by.kind == byLock && same
	case put:
		return by.kind == byAtomic && (!same || read.meets(written))
	case update:
		return by.kind != byLock && (!same || read.meets(written))
	case shown:
		return by.kind == byGet || by.kind == byAtomic
	}
	return false
}
