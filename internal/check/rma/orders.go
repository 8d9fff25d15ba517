package rma

import (
	"cmp"
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Under locks, calls of several ranks are in no order except for what orders the ranks themselves: a lock that excludes
// the other, or a chain of MPI calls from the completion of the first (MPI_Win_flush, MPI_Win_unlock) to the second.
// Rounds and freshness (knowledge) say of some that there is none, also where the ranks are those of several agents.
// Moments (waitstate) say it of the others.

// order is what is known of whether one call was complete at the target before a rank made another.
type order uint8

const (
	possible order = iota
	open           // the strict view has not come so far
	unlikely       // unless some rank has read memory that others write
	never
)

// before says whether a can be complete before b is made, and b's rank know it. What it can have learned through
// windows is known once the round is over.
func before(a, b *hold, through *hearsay) order {
	switch {
	case a.to < b.from:
		return possible
	case a.to > b.from:
		return never
	case b.fresh:
		return unlikely
	case a.done == nil || b.made == nil:
		return possible
	case !b.made.Reached():
		return open
	case b.made.Knows(a.done):
		return possible
	case through == nil:
		return open
	case through.reaches(a.done):
		return possible
	}
	return unlikely
}

// now is the present moment of a rank, nil if it is not known.
func now(r *check.Rank) *waitstate.Moment {
	if r.Now == nil {
		return nil
	}
	return r.Now()
}

// unordered compares two calls under shared locks.
func unordered(a, b *hold) order {
	if a.from == 0 || b.from == 0 || !(a.shared && b.shared || a.unlocked || b.unlocked) {
		return possible
	}
	return min(before(a, b, nil), before(b, a, nil))
}

// order is unordered when the round is over.
func (m *remote) order(u *unjudged, strict bool) order {
	p, q := &u.p.act.under, &u.q.act.under
	return min(before(p, q, m.hearsay(u, u.q, strict)), before(q, p, m.hearsay(u, u.p, strict)))
}

// hearsay is that of one of two acts.
func (m *remote) hearsay(u *unjudged, of *spot, strict bool) *hearsay {
	return &hearsay{far: m, round: of.act.under.from, act: of,
		place: channel{win: u.win.id, target: op.Rank(u.win.rank.World)},
		bytes: span{max(u.p.lo, u.q.lo), min(u.p.hi, u.q.hi)}, strict: strict}
}

// unjudged are two accesses that clash, of which it is still to be found out whether something orders them.
type unjudged struct {
	win  *window
	why  clash
	p, q *spot
}

// Bounds of what is remembered.
const (
	maxUnjudged = 1 << 10
	maxLocked   = 1 << 10 // calls under locks of a window
	few         = 32      // after which calls under locks are looked through for those that come before all others
	closest     = 8       // calls under locks that a call is reported with
)

// place notes when an RMA call is made and what its rank may know by then, and that it writes to the memory of another
// rank.
func (m *windows) place(c *check.Call, w *window, t int64, key epochKey, a *act) {
	p := m.far.knowledge(c.Rank)
	if key.kind == byFence || key.kind == byStart {
		// since the epoch began there, or since the round began
		fresh := w.calm && p.round == w.round && p.learned == w.mark || p.fresh()
		a.under = hold{from: max(p.round, 1), fresh: fresh && !p.lost && !c.Rank.Callbacks, private: !p.shared &&
			len(m.of[c.Rank]) == 1}
	}
	if p.round == 0 {
		return
	}
	if !a.looks() {
		m.far.wrote(p, w.world(t), written)
	}
	m.far.passes(p, c.Rank, w, t, key, a)
	if key.kind != passive || p.lost || c.Rank.Callbacks {
		return
	}
	a.under = hold{from: p.round, fresh: p.fresh(), barely: p.barely(), shared: w.lockAll.Func != nil || w.shared[t],
		private: !p.shared, made: now(c.Rank)}
}

// amongOthers compares a call under a lock, or a use of its memory by the owner of the window, with those of other
// ranks.
func (m *remote) amongOthers(to *check.Watch, t *target, p *spot) {
	h := &p.act.under
	if h.from == 0 || h.to < h.from {
		return
	}
	w, held := t.win, &t.held
	tries := closest
	for _, q := range held.meeting(p) {
		if tries == 0 {
			break
		}
		known := unordered(h, &q.act.under)
		if known == possible {
			continue
		}
		why := clashOf(p, q, w.sameOp)
		if why == noClash || !p.act.layout.Meets(p.at, &q.act.layout, q.at) {
			continue
		}
		tries--
		if u := (unjudged{w, why, p, q}); len(m.unjudged) < maxUnjudged {
			m.unjudged = append(m.unjudged, u)
		} else if known == never {
			m.unordered(to, &u, !m.polled(&u))
		}
	}
	if len(held.list) >= held.many {
		held.forget(m.oldest(w))
		held.many = 2*len(held.list) + max(few, len(m.ranks))
	}
	held.remember(p)
}

// meeting are the acts of other ranks that an act may meet, those first that came first if they are accesses of the
// program's own.
func (e *exposure) meeting(p *spot) []*spot {
	list, plain := e.some[:0], false
	for k := e.first(p.lo); k < len(e.list) && e.list[k].lo < p.hi; k++ {
		if q := e.list[k]; q.from != p.from && q.hi > p.lo {
			list = append(list, q)
			plain = plain || q.turn > 0
		}
	}
	if plain {
		slices.SortStableFunc(list, func(a, b *spot) int { return cmp.Compare(a.turn, b.turn) })
	}
	e.some = list
	return list
}

// oldest is the first round in which a call may have been made that is still to be compared with others on the window
// of an owner; 0 if that is not known. What was complete before it comes before all of these.
func (m *remote) oldest(owned *window) uint64 {
	all := m.together(m.knowledge(owned.rank).world)
	if all == nil || len(m.targets.early) > 0 {
		return 0
	}
	round := slices.MinFunc(all, func(a, b *knowledge) int { return cmp.Compare(a.round, b.round) }).round
	target := int64(slices.Index(owned.members, op.Rank(owned.rank.World)))
	for _, list := range m.windows.of {
		for _, w := range list {
			if b := w.batches[target]; w.id == owned.id && b != nil && len(b.acts) > 0 {
				round = min(round, b.acts[0].under.from)
			}
		}
	}
	return round
}

// forget drops the acts that were complete before a round.
func (e *exposure) forget(round uint64) {
	e.list = slices.DeleteFunc(e.list, func(q *spot) bool { return q.act.under.to < round })
}

// remember keeps an act under a lock: of those of a rank that are alike in all but their moments, the first and the
// last, which others are least likely to come before and after. Of those that are many, the oldest go.
func (e *exposure) remember(p *spot) {
	at, alike := e.first(p.lo+e.longest), 0
	for k := at; k < len(e.list) && e.list[k].lo == p.lo; k++ {
		q := e.list[k]
		if q.hi != p.hi || q.from != p.from || q.act.manner != p.act.manner || q.act.op != p.act.op ||
			q.act.layout != p.act.layout || !q.act.under.alike(p.act.under) {
			continue
		}
		if q.act.under == p.act.under {
			return
		}
		if alike++; alike == 2 {
			e.list[k] = p
			return
		}
	}
	if len(e.list) >= maxLocked {
		e.forget(p.act.under.from - 1)
		if len(e.list) >= maxLocked {
			e.list = e.list[:0]
		}
		at = e.first(p.lo + e.longest)
	}
	e.list = slices.Insert(e.list, at, p)
	e.longest = max(e.longest, p.hi-p.lo)
}

// judgeOrders judges what was left open in rounds that are over, or all of it.
func (m *remote) judgeOrders(to *check.Watch, all bool) {
	list := m.unjudged
	m.unjudged = nil
	for i := range list {
		u := &list[i]
		knowledges := m.together(m.knowledge(u.win.rank).world)
		ended := knowledges != nil && over(knowledges, max(u.p.act.under.from, u.q.act.under.from))
		known := unordered(&u.p.act.under, &u.q.act.under)
		if known == open && ended {
			known = m.order(u, false)
		}
		switch {
		case known == never && (ended || all):
			m.unordered(to, u, !m.polled(u))
			continue
		case known == possible || known == open && all:
			continue
		case known == open || !all && !ended:
			m.unjudged = append(m.unjudged, *u)
			continue
		}
		first, second, incomplete := u.incomplete()
		if incomplete && ended && !u.p.act.plain() && !u.q.act.plain() {
			if certain, seen := m.noticed(u, first, second); !seen {
				m.unordered(to, u, certain)
				continue
			}
		}
		certain, doubtful := true, false
		for _, s := range []*spot{u.p, u.q} {
			blind := ended && m.blind(u, s)
			certain = certain && blind
			// It may have read its own memory, or have heard of others, and what these had read is not known.
			doubtful = doubtful || !blind && !s.act.under.fresh && (!ended || m.misled(m.hearsay(u, s, false)))
		}
		certain = certain && m.order(u, true) != possible && !(incomplete && m.polled(u))
		if !doubtful || (u.p.act.plain() || u.q.act.plain()) && incomplete {
			m.unordered(to, u, certain)
		}
	}
}

// blind says that the rank of an act cannot have learned anything from memory that others write: its own, or memory
// that it shares, or that of a rank which may have informed it of that.
func (m *remote) blind(u *unjudged, s *spot) bool {
	h, r := &s.act.under, m.ranks[s.from]
	if !h.private || r == nil {
		return false
	}
	if s.from == op.Rank(u.win.rank.World) {
		return m.busy(u, s)
	}
	return !m.touched(r, h.from, written) && (h.fresh || !m.relayed(m.hearsay(u, s, true)))
}

// busy says that the owner of the memory waits for nothing: all that it does with windows in the round is one store,
// and the others write nothing to its memory but there.
func (m *remote) busy(u *unjudged, s *spot) bool {
	h := &s.act.under
	if !s.act.plain() || s.act.looks() || s.act.vague || s.act.thread || !h.fresh {
		return false
	}
	by := m.hearsay(u, s, true)
	r := m.ranks[s.from]
	if n := m.knowledge(r).past.rounds[h.from]; n == nil || n.accesses != 1 || m.touched(r, h.from, active) {
		return false
	}
	for _, r := range m.ranks {
		n := m.knowledge(r).past.rounds[h.from]
		if n == nil {
			continue
		}
		for to, p := range n.gives {
			if (to.kind == put || to.kind == update) && to.target == s.from &&
				(to.win != by.place.win || !m.bytes(to, p.accessed).within(by.bytes)) {
				return false
			}
		}
	}
	return true
}

// misled says that the rank of an act may know what no call shows: it waits for what others write to its memory, or has
// heard of one that may do so.
func (m *remote) misled(by *hearsay) bool { return by.polls() || m.relayed(by) }

// relayed says that the rank of an act may have heard of another one that may have read what others have written to its
// memory.
func (m *remote) relayed(by *hearsay) bool {
	h := &by.act.act.under
	for rank, other := range m.ranks {
		if rank == by.act.from {
			continue
		}
		p := m.knowledge(other)
		if began := p.began(h.from); (p.shared || m.touched(other, h.from, written)) &&
			(began == nil || h.made == nil || by.reaches(began)) {
			return true
		}
	}
	return false
}

// sure says that no call of a rank is known to be missing.
func (m *remote) sure(rank op.Rank) bool {
	r := m.ranks[rank]
	return r == nil || r.Certain == nil || r.Sure()
}

// updates says that a rank has got the memory before one of the two puts there, as far as is known, or may have.
func (u *unjudged) updates() bool {
	p, q := u.p.act, u.q.act
	if p.plain() || q.plain() || u.p.local || u.q.local || p.manner == mpi.Updates || q.manner == mpi.Updates {
		return false
	}
	return !p.looks() && p.under.barely && !p.under.fresh || !q.looks() && q.under.barely && !q.under.fresh
}

// incomplete gives two accesses in the order in which they were made, if the rank of the second one knows that the
// first was made, but not that it is complete.
func (u *unjudged) incomplete() (first, second *spot, yes bool) {
	knows := func(a, b *hold) bool {
		return a.made != nil && a.done != nil && b.made != nil && b.made.Reached() && b.made.Knows(a.made) &&
			!b.made.Knows(a.done)
	}
	switch p, q := &u.p.act.under, &u.q.act.under; {
	case knows(p, q):
		return u.p, u.q, true
	case knows(q, p):
		return u.q, u.p, true
	}
	return nil, nil, false
}

// noticed says of two accesses that are incomplete in this way whether the rank of the second one may know by memory
// that the first is complete: what is put somewhere, the owner of that memory may see there, and who reads it by an
// accumulate (MPI-4.0, 12.7: the effect is visible in the end without further calls). What these do later, the rank has
// to have heard of. If not, it is certain that nothing orders the two, unless the rank of the first access is the owner
// and waits for what it has put itself.
func (m *remote) noticed(u *unjudged, first, second *spot) (certain, seen bool) {
	a, b := &first.act.under, &second.act.under
	by, strictly := m.hearsay(u, second, false), m.hearsay(u, second, true)
	by.since, strictly.since = a.made, a.made
	owner := op.Rank(u.win.rank.World)
	certain = b.private && m.order(u, true) != possible
	for x, r := range m.ranks {
		p := m.knowledge(r)
		if p.lost || r.Callbacks {
			return false, true
		}
		n := p.past.rounds[b.from]
		fetches := m.fetches(n, by.place, by.bytes)
		looks := x == owner || p.shared || fetches
		if !looks {
			continue
		}
		if x == first.from {
			certain = false // of what it does itself it knows
			if fetches {
				return false, true
			}
			continue
		}
		if x == second.from || n == nil || n.unmarked {
			return false, true
		}
		learns := func(of *waitstate.Moment) bool { return of.Gained(a.made, x) }
		if by.finds(learns) {
			return false, true
		}
		certain = certain && !strictly.finds(learns)
	}
	return certain, false
}

// polled says whether the owner of the memory has looked there for what others write, as far as its calls show, in the
// rounds of two accesses. What it has seen there stays there, so others that hear of it may read it though nobody has
// completed the call that has written it (MPI-4.0, 12.7: polling).
func (m *remote) polled(u *unjudged) bool {
	r := m.ranks[op.Rank(u.win.rank.World)]
	if r == nil {
		return false
	}
	by := m.hearsay(u, u.p, false)
	for k := min(u.p.act.under.from, u.q.act.under.from); k <= max(u.p.act.under.from, u.q.act.under.from); k++ {
		n := m.knowledge(r).past.rounds[k]
		if n == nil {
			continue
		}
		if _, looks := n.takes[channel{fromItself, u.win.id, op.Unknown}]; looks || n.looks ||
			m.fetches(n, by.place, by.bytes) {
			return true
		}
	}
	return false
}

// fetches says whether a rank has read bytes of a window in a round by calls that are accumulates.
func (m *remote) fetches(n *round, place channel, bytes span) bool {
	if n == nil {
		return false
	}
	by := channel{byAtomic, place.win, place.target}
	p, some := n.takes[by]
	return some && m.bytes(by, p.accessed).meets(bytes)
}

// unordered reports two accesses that nothing orders, for certain or as it seems.
func (m *remote) unordered(to *check.Watch, u *unjudged, certain bool) {
	if u.p.act.plain() != u.q.act.plain() && (u.p.act.told && !u.p.act.plain() || u.q.act.told && !u.q.act.plain()) {
		return
	}
	u.p.tells(u.q)
	certain = certain && m.sure(u.p.from) && m.sure(u.q.from)
	words := clashWords{after: ", and nothing orders them", severity: u.why.severity()}
	if !certain {
		words.after, words.severity = ", and no MPI call orders them", finding.Warning
		words.notes = append(words.notes,
			"they can be ordered only if one rank waits for a value in memory that other ranks write")
	}
	first, _, incomplete := u.incomplete()
	if incomplete || u.p.act.under.from != u.q.act.under.from {
		words.notes = append(words.notes,
			"a barrier or a message does not complete RMA calls: call MPI_Win_flush or MPI_Win_unlock first")
	}
	if incomplete && first.act.call.Fn != nil && first.act.call.Fn.Class == mpi.Rrma && !first.act.looks() {
		words.notes = append(words.notes, first.act.call.Fn.Name+
			" is complete at the origin when its request is, not at the target")
	}
	if u.updates() && !incomplete {
		words.hint = "if each rank changes what it has got and puts it back, one change may be lost: use " +
			"MPI_Accumulate or MPI_Fetch_and_op, or MPI_LOCK_EXCLUSIVE around both calls"
	}
	p, q := u.p, u.q
	if q.local {
		p, q = q, p
	}
	m.sayClash(to, u.win, u.why, p, q, words)
}
