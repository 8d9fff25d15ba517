package windows

import "slices"

// Pair is two acts of a round, by their steps, that conflict.
type Pair struct {
	A, B int
	// May says that it depends on which rank gets a lock first whether they do, or on how a rule of the standard is
	// read.
	May bool
	// Later says that one of them is in memory that the other has lent to its call, and that they are ordered except
	// for the time from that call to its completion.
	Later bool
}

// area is memory that an act accesses for some time.
type area struct {
	step, rank int
	owner      int // whose memory it is
	lo, hi     int
	writes     bool
	op         string // of an accumulate at its target
	when       span
	call       span // of memory that is lent to a call: from its begin to its return
	lock       int  // the step that locks the memory for it, -1 if there is none
}

// Conflicts are the pairs of acts of a round that access the same cells, at least one of them to change them, and that
// nothing orders. Two accumulates with one operator are no conflict (12.7.1).
func (p *Program) Conflicts(round int) []Pair {
	r := &p.Rounds[round]
	o := orderOf(r, p.Ranks)
	var areas []area
	for i := range r.Steps {
		if s := &r.Steps[i]; s.Kind == Acts {
			areas = append(areas, o.areas(i)...)
		}
	}
	orders := o.orders()
	var out []Pair
	for i := range areas {
		for k := range i {
			a, b := &areas[k], &areas[i]
			if a.step == b.step || !a.clashes(b) || o.excluded(a, b) {
				continue
			}
			ordered := func(x *order) bool { return x.ordered(a.when, b.when) }
			all := !slices.ContainsFunc(orders, func(x *order) bool { return !ordered(x) })
			if all {
				continue
			}
			// Accumulates of one rank are made in order (12.7.2), but the operators should be one (12.2.1).
			may := a.rank == b.rank && a.op != "" && b.op != ""
			out = append(out, Pair{A: a.step, B: b.step, May: may || slices.ContainsFunc(orders, ordered),
				Later: orders[0].ordered(a.call, b.when) || orders[0].ordered(a.when, b.call)})
		}
	}
	return out
}

// areas are what an act accesses: the memory of its target, and what of its own window the rank has lent to the call.
func (o *order) areas(i int) []area {
	s := &o.round.Steps[i]
	a := &s.Act
	target, local := o.spans(i)
	list := []area{{step: i, rank: s.Rank, owner: a.Target, lo: a.At, hi: a.At + a.N, writes: a.writes(), when: target,
		call: target, lock: o.lockOf(i, a.Target)}}
	if a.updates() {
		list[0].op = a.Op
	}
	if !a.Plain() && a.Lent >= 0 {
		list = append(list, area{step: i, rank: s.Rank, owner: s.Rank, lo: a.Lent, hi: a.Lent + a.N,
			writes: a.fills(), when: local,
			call: span{o.in[i][s.Rank], o.out[i][s.Rank]}, lock: -1})
	}
	return list
}

// clashes says whether two may not be at the same time.
func (a *area) clashes(b *area) bool {
	if a.owner != b.owner || a.lo >= b.hi || b.lo >= a.hi || !a.writes && !b.writes {
		return false
	}
	return a.op == "" || b.op == "" || a.op != b.op && a.op != noOp && b.op != noOp
}

// lockOf is the step by which a rank has locked a target for a step; -1 if it has not, or all targets.
func (o *order) lockOf(i, target int) int {
	rank := o.round.Steps[i].Rank
	at := o.last(i, func(p *Step) bool {
		return p.Rank == rank && p.Peer == target && (p.Kind == Lock || p.Kind == Unlock)
	})
	if at >= 0 && o.round.Steps[at].Kind == Unlock {
		return -1
	}
	return at
}

// excluded says whether locks keep two areas apart.
func (o *order) excluded(a, b *area) bool {
	return a.rank != b.rank && a.lock >= 0 && b.lock >= 0 && o.apart(a.lock, b.lock)
}

// apart says whether two locks cannot be held at the same time.
func (o *order) apart(i, k int) bool {
	a, b := &o.round.Steps[i], &o.round.Steps[k]
	return a.Rank != b.Rank && a.Peer == b.Peer && (a.Exclusive || b.Exclusive)
}

// orders are those that locks which exclude each other bring about: one for each way in which they can follow each
// other.
func (o *order) orders() []*order {
	var pairs [][2]int
	for i := range o.round.Steps {
		for k := range i {
			a, b := &o.round.Steps[i], &o.round.Steps[k]
			if a.Kind == Lock && b.Kind == Lock && o.apart(i, k) {
				pairs = append(pairs, [2]int{k, i})
			}
		}
	}
	var out []*order
	for choice := range 1 << len(pairs) {
		more := &order{round: o.round, ranks: o.ranks, in: o.in, out: o.out}
		for _, list := range o.next {
			more.next = append(more.next, slices.Clone(list))
		}
		for n, pair := range pairs {
			first, second := pair[0], pair[1]
			if choice>>n&1 == 1 {
				first, second = second, first
			}
			a, b := &o.round.Steps[first], &o.round.Steps[second]
			unlock := o.first(first, func(p *Step) bool {
				return p.Kind == Unlock && p.Rank == a.Rank &&
					p.Peer == a.Peer
			})
			more.before(o.out[unlock][a.Rank], o.out[second][b.Rank])
		}
		if more.close(); !more.circular() {
			out = append(out, more)
		}
	}
	return out
}
