package exact

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// proof shows by counting that nobody can block forever from some state on. For each thread it keeps a call that the
// thread reaches in every run (lb, a lower bound on where it ends), and raises it:
//
//   - A receive has certainly met if more fitting messages have been sent than receives before it in its thread could
//     take; later ones may not take what fits an open earlier one (MPI-4.0, 3.5). The same holds for sends, with all
//     messages of other senders as possible rivals.
//   - Suppose that a thread stands still in a call forever, because one part has not met. Then each message that is
//     sent and fits it has been taken, so the supposition lets its senders go on. If the counts then say that the part
//     has met, or the sums over all threads (see sums) do not come out, the thread does not stand still there.
type proof struct {
	*state
	rivals *rivals
	lb     []int32
	// sent counts, by signature of receives, the fitting messages that are certainly sent and have not met in the
	// state; received does the same by signature of sends.
	sent, received []int32
	rank           []int32 // by part: how many others could be served before it
	ownRank        []int32 // by part: of these, those of its own thread
	nth            []int32 // by part: how many of its signature before it have not met
	left           []int32 // by signature: parts that have not met
	begun          []int32 // by signature: of these, those certainly started
	inside         []int32 // by group: members that have certainly entered
	drained        []bool  // by signature: each part that is started has met, as supposed
	path           []int32 // threads, as they were raised
}

// rivals are the signatures that can take something from each other, and what follows from it for single parts.
type rivals struct {
	own, others [][]int32 // by signature: of the same thread (itself included), and of others
	cuts        [2][]cut  // by part: two ways to set earlier rivals apart
	latest      []int32   // by receive: the last call in which it or one of its signature before it may keep its thread
	mixed       [][]int32 // by thread: signatures of receives that messages of several threads fit
}

// cut divides the receives of a thread before one of them: those before the cut cannot take what is sent only after a
// call of the thread (see windows), and those after it are counted.
type cut struct {
	hold   int32 // the call; none if nothing before the cut is a rival
	takers int32
}

// manyRivals bounds the pairs of rivals; beyond that there is no proof by counting.
const manyRivals = 1 << 22

// rivalry finds the rivals, or returns nil if there are too many.
func (m *model) rivalry() *rivals {
	r := &rivals{own: make([][]int32, len(m.fits)), others: make([][]int32, len(m.fits))}
	mark := make([]int32, len(m.fits))
	steps := 0
	for s := range m.fits {
		for _, w := range m.fits[s].with {
			steps += len(m.fits[w].with)
			if steps > manyRivals {
				return nil
			}
			for _, v := range m.fits[w].with {
				if mark[v] == int32(s)+1 {
					continue
				}
				mark[v] = int32(s) + 1
				if m.lanes[m.fits[v].lane].thread == m.lanes[m.fits[s].lane].thread {
					r.own[s] = append(r.own[s], v)
				} else {
					r.others[s] = append(r.others[s], v)
				}
			}
		}
	}
	m.divide(r)
	r.mixed = m.mixed()
	return r
}

// divide finds, for each receive and probe, the cut just before it and the one at the last blocking collective before
// it.
func (m *model) divide(r *rivals) {
	r.cuts = [2][]cut{make([]cut, len(m.parts)), make([]cut, len(m.parts))}
	r.latest = make([]int32, len(m.parts))
	for s := range m.fits {
		latest := none
		for _, id := range m.fits[s].parts {
			latest = max(latest, m.parts[id].hold)
			r.latest[id] = latest
		}
	}
	now, before := make([]cut, len(m.fits)), make([]cut, len(m.fits))
	for s := range now {
		now[s].hold, before[s].hold = none, none
	}
	for t := range m.end {
		var mine []int32
		for at := range m.end[t] {
			o := m.op(int32(t), at)
			for n := o.First; n < o.First+o.Started; n++ {
				id := m.base[t] + int32(n)
				p := &m.parts[id]
				if p.sig == none || p.kind == op.Send {
					continue
				}
				r.cuts[0][id], r.cuts[1][id] = cut{hold: now[p.sig].hold}, before[p.sig]
				if p.kind == op.Probe {
					continue
				}
				for _, v := range r.own[p.sig] {
					now[v].hold = max(now[v].hold, p.hold)
					before[v].takers++
					mine = append(mine, v)
				}
			}
			if o.Blocking && m.collective(int32(t), o) {
				for _, v := range mine {
					before[v] = cut{hold: now[v].hold}
				}
				slices.Sort(mine)
				mine = slices.Compact(mine)
			}
		}
	}
}

func (m *model) collective(t int32, o *trace.Op) bool {
	return slices.ContainsFunc(m.log.Threads[t].WaitsOf(o), func(w trace.Wait) bool {
		return m.parts[m.of(&w)].kind == op.Coll
	})
}

// safe says whether nobody blocks forever after a state; false means that it is not known, also because it was to
// stop. The state is unchanged.
func (r *rivals) safe(s *state, stop func() bool) bool {
	if r == nil {
		return false
	}
	p := &proof{state: s, rivals: r, lb: slices.Clone(s.at), sent: make([]int32, len(s.fits)),
		received: make([]int32, len(s.fits)),
		rank:     make([]int32, len(s.parts)), ownRank: make([]int32, len(s.parts)), nth: make([]int32, len(s.parts)),
		left: make([]int32, len(s.fits)), begun: make([]int32, len(s.fits)), inside: slices.Clone(s.inside),
		drained: make([]bool, len(s.fits))}
	p.count()
	p.propagate(none)
	for again := true; again; {
		again = false
		for t := range p.lb {
			for more := true; more; again = again || more {
				if stop() {
					return false
				}
				if more = p.refute(int32(t)); more {
					p.path = p.path[:0]
					p.propagate(none)
				}
			}
		}
	}
	for t := range p.lb {
		if p.lb[t] < p.end[t] {
			return false
		}
	}
	return true
}

// count sets the counters to what the state has, and ranks what has not met.
func (p *proof) count() {
	before := make([]int32, len(p.fits))
	for i := range p.lanes {
		row := p.lanes[i].parts
		for n := p.head[i]; int(n) < len(row); n++ {
			id := row[n]
			if p.met.has(id) {
				continue
			}
			if n < p.posted[i] {
				p.tally(id, 1)
			}
			if sig := p.parts[id].sig; p.parts[id].kind != op.Probe {
				p.nth[id] = p.left[sig]
				p.left[sig]++
			}
		}
	}
	for t := range p.at {
		for id := p.base[t]; id < p.base[t]+int32(len(p.log.Threads[t].Parts)); id++ {
			x := &p.parts[id]
			if x.sig == none || p.met.has(id) {
				continue
			}
			p.rank[id], p.ownRank[id] = before[x.sig], before[x.sig]
			for _, v := range p.rivals.others[x.sig] {
				p.rank[id] += p.left[v]
			}
			if x.kind == op.Probe {
				continue
			}
			for _, v := range p.rivals.own[x.sig] {
				before[v]++
			}
		}
	}
}

// tally adds a part that has not met to what its partners can count on, or takes it away.
func (p *proof) tally(id, by int32) {
	x := &p.parts[id]
	counts := p.sent
	switch x.kind {
	case op.Recv:
		counts = p.received
	case op.Probe:
		return
	}
	p.begun[x.sig] += by
	for _, w := range p.fits[x.sig].with {
		counts[w] += by
	}
}

// raise lets a thread pass the call at its bound.
func (p *proof) raise(t int32) {
	p.lb[t]++
	p.path = append(p.path, t)
	p.account(t, 1)
}

// lower takes back what has been raised under a supposition.
func (p *proof) lower() {
	for len(p.path) > 0 {
		t := p.path[len(p.path)-1]
		p.path = p.path[:len(p.path)-1]
		p.account(t, -1)
		p.lb[t]--
	}
}

// account counts what a thread starts in the call at its bound.
func (p *proof) account(t, by int32) {
	if p.lb[t] >= p.end[t] {
		return
	}
	o := p.op(t, p.lb[t])
	for n := o.First; n < o.First+o.Started; n++ {
		id := p.base[t] + int32(n)
		switch x := &p.parts[id]; {
		case x.group != none:
			p.inside[x.group] += by
		case x.sig != none:
			p.tally(id, by)
		}
	}
}

// propagate raises every thread but one as far as is certain.
func (p *proof) propagate(but int32) {
	for again := true; again; {
		again = false
		for t := range int32(len(p.lb)) {
			for t != but && p.passes(t) {
				p.raise(t)
				again = true
			}
		}
	}
}

// passes says whether a thread certainly leaves the call at its bound.
func (p *proof) passes(t int32) bool {
	if p.lb[t] >= p.end[t] {
		return false
	}
	o := p.op(t, p.lb[t])
	if !o.Blocking || o.Opaque {
		return true
	}
	waits := p.log.Threads[t].WaitsOf(o)
	all := true
	for i := range waits {
		id := p.of(&waits[i])
		switch {
		case !p.certain(id):
			if !o.Any {
				return false
			}
			all = false
		case o.Any && p.parts[id].over == none:
			return true
		}
	}
	return all
}

// certain says whether a part is certainly complete in the end, given the bounds and what is supposed.
func (p *proof) certain(id int32) bool {
	x := &p.parts[id]
	switch {
	case x.kind == op.Served || p.met.has(id) || p.isOver(id):
		return true
	case p.lb[x.thread] < x.op:
		return false
	case x.kind == op.Coll:
		return p.gathered(id, int(p.inside[x.group]), func(other int32) bool {
			return p.lb[p.parts[other].thread] >= p.parts[other].op
		}) == always
	case x.kind == op.Send:
		return x.keeps == always || p.drained[x.sig] || p.received[x.sig] > p.rank[id] || p.taken(id)
	}
	return p.drained[x.sig] || p.sent[x.sig] > p.rank[id] || p.reserved(id, p.rivals.cuts[0][id]) ||
		p.reserved(id, p.rivals.cuts[1][id])
}

// taken says whether a message is certainly taken because the receives that are certainly started cannot all be served
// by others: by earlier messages of its thread, or by what others can send before those receives have met.
func (p *proof) taken(id int32) bool {
	x := &p.parts[id]
	threads := p.boxes[x.box].threads
	if len(threads) != 1 || p.received[x.sig] <= p.ownRank[id] {
		return false
	}
	t := p.lanes[threads[0][0]].thread
	sum := p.ownRank[id]
	for _, g := range p.fits[x.sig].with {
		row := p.fits[g].parts
		n, _ := slices.BinarySearchFunc(row, p.lb[t]+1, func(id, at int32) int { return int(p.parts[id].op - at) })
		if n == 0 {
			continue
		}
		for _, v := range p.fits[g].with {
			if p.fits[v].lane == x.lane {
				continue
			}
			hold := p.rivals.latest[row[n-1]]
			if sum += p.within(v, hold, t) - p.absorbed(v, x.sig, hold, t); sum >= p.received[x.sig] {
				return false
			}
		}
	}
	return true
}

// absorbed counts the messages of a signature that have certainly been taken by receives for it alone, before or while
// the thread is in a call. Receives that fit the other signature, too, do not count.
func (p *proof) absorbed(sig, but, hold, t int32) (sum int32) {
	for _, g := range p.fits[sig].with {
		f := &p.fits[g]
		if len(f.with) != 1 || slices.Contains(f.with, but) {
			continue
		}
		n, _ := slices.BinarySearchFunc(f.parts, min(p.lb[t], hold+1), func(id, at int32) int {
			return int(p.rivals.latest[id] - at)
		})
		sum += p.open(g, n)
	}
	return sum
}

// reserved says whether a receive or probe has certainly met because of the messages that are out of reach of receives
// before a cut: there are more of them than receives after the cut.
func (p *proof) reserved(id int32, c cut) bool {
	x := &p.parts[id]
	if len(p.rivals.others[x.sig]) > 0 || p.sent[x.sig] <= c.takers {
		return false
	}
	var sum int32
	for _, w := range p.fits[x.sig].with {
		out := p.begun[w]
		if c.hold != none && out > 0 {
			out = max(0, out-p.within(w, c.hold, x.thread))
		}
		if sum += out; sum > c.takers {
			return true
		}
	}
	return false
}

// within counts the messages of a signature that have not met and can be sent while a thread is in a call.
func (p *proof) within(sig, hold, t int32) int32 {
	if hold == none {
		return 0
	}
	f := &p.fits[sig]
	bound := p.windows.while(t, hold, f.lane)
	n, _ := slices.BinarySearchFunc(f.parts, bound, func(id, bound int32) int { return int(p.parts[id].pos - bound) })
	return p.open(sig, n)
}

// open counts the first n parts of a signature that have not met in the state.
func (p *proof) open(sig int32, n int) int32 {
	for _, id := range p.fits[sig].parts[n:] {
		if !p.met.has(id) {
			return p.nth[id]
		}
	}
	return p.left[sig]
}

// supposition is that a call is never left because of some parts: one of them has not met, or none of them.
type supposition struct {
	parts  []int32
	sigs   []int32
	nobody bool // none of the parts has met
}

// suppositions are the ways in which a thread may stand still in the call at its bound: a call that waits for all lacks
// a part of some signature, one that is content with any lacks them all. Parts that are complete need no supposition.
func (p *proof) suppositions(t int32, complete func(id int32) bool) []supposition {
	o := p.op(t, p.lb[t])
	waits := p.log.Threads[t].WaitsOf(o)
	var out []supposition
	if o.Any {
		out = []supposition{{nobody: true}}
	}
	for i := range waits {
		id := p.of(&waits[i])
		sig := p.parts[id].sig
		if o.Any {
			if p.parts[id].over == none {
				out[0].parts, out[0].sigs = append(out[0].parts, id), append(out[0].sigs, sig)
			}
			continue
		}
		if complete(id) {
			continue
		}
		n := slices.IndexFunc(out, func(a supposition) bool { return sig != none && a.sigs[0] == sig })
		if n < 0 {
			n = len(out)
			out = append(out, supposition{sigs: []int32{sig}})
		}
		out[n].parts = append(out[n].parts, id)
	}
	return out
}

// suppose makes every part that fits one of those supposed not to have met certain to have met, or takes that back.
func (p *proof) suppose(a supposition, is bool) {
	for _, sig := range a.sigs {
		if sig == none {
			continue
		}
		for _, w := range p.fits[sig].with {
			p.drained[w] = is
		}
	}
}

// absurd says whether a supposition is contradicted by what is certain under it.
func (p *proof) absurd(a supposition) bool {
	if a.nobody {
		return slices.ContainsFunc(a.parts, p.certain)
	}
	return !slices.ContainsFunc(a.parts, func(id int32) bool { return !p.certain(id) })
}

// refute shows that a thread leaves the call at its bound, and raises it. A call after it that gives rise to the same
// supposition can use what has followed from the first, so that a row of receives costs no more than one.
func (p *proof) refute(t int32) bool {
	if p.lb[t] >= p.end[t] {
		return false
	}
	all := p.suppositions(t, p.certain)
	if len(all) != 1 {
		for _, a := range all {
			p.path = p.path[:0]
			p.suppose(a, true)
			p.propagate(t)
			absurd := p.absurd(a) || p.unbalanced(t, a)
			p.suppose(a, false)
			p.lower()
			if !absurd {
				return false
			}
		}
		p.raise(t)
		return true
	}
	passed := 0
	a := all[0]
	p.path = p.path[:0]
	p.suppose(a, true)
	for {
		p.propagate(t)
		if !p.absurd(a) && !p.unbalanced(t, a) {
			break
		}
		p.raise(t)
		passed++
		for p.lb[t] < p.end[t] && p.unbound(t) {
			p.raise(t)
			passed++
		}
		if p.lb[t] >= p.end[t] {
			break
		}
		p.suppose(a, false)
		// What is certain may be so under the first supposition only, which says nothing of another.
		next := p.suppositions(t, p.free)
		if len(next) != 1 || !slices.Equal(next[0].sigs, a.sigs) || next[0].nobody != a.nobody {
			break
		}
		a = next[0]
		p.suppose(a, true)
	}
	p.suppose(a, false)
	p.lower()
	for range passed {
		p.raise(t)
	}
	return passed > 0
}

// unbound says whether the call at a thread's bound waits for nobody, whatever is supposed.
func (p *proof) unbound(t int32) bool {
	o := p.op(t, p.lb[t])
	if !o.Blocking || o.Opaque {
		return true
	}
	for _, w := range p.log.Threads[t].WaitsOf(o) {
		if !p.free(p.of(&w)) {
			return false
		}
	}
	return true
}

// free says whether a part is complete, whatever is supposed.
func (p *proof) free(id int32) bool {
	x := &p.parts[id]
	return x.kind == op.Served || x.kind == op.Send && x.keeps == always || p.met.has(id) || p.isOver(id)
}
