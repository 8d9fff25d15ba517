package exact

import (
	"slices"

	"unknot/internal/vocab/op"
)

// complete says whether a part is complete: never means that it needs an event first.
func (s *state) complete(id int32) keeping {
	p := &s.parts[id]
	switch {
	case p.kind == op.Served || s.met.has(id) || s.isOver(id):
		return always
	case !s.started(id):
		return never // a thread waits for what another has yet to start
	case p.kind == op.Send:
		return p.keeps
	case p.kind == op.Coll:
		return s.gathered(id, int(s.inside[p.group]), s.started)
	}
	return never
}

// gathered says whether a collective is complete at one member, given how many have entered it, and who.
func (m *model) gathered(id int32, inside int, entered func(id int32) bool) keeping {
	g := &m.groups[m.parts[id].group]
	switch {
	case inside >= g.size:
		return always
	case m.options.Collectives == CollectStrict || !m.enough(id, g, entered):
		return never
	case m.options.Collectives == CollectWeak:
		return always
	}
	return perhaps
}

// enough says whether a member of a collective could complete before all have entered it (MPI-4.0, 6.1).
func (m *model) enough(id int32, g *group, entered func(id int32) bool) bool {
	mine := m.ref(id).part(m.log)
	c := &m.log.Comms[g.comm]
	rank := m.rank(m.parts[id].thread)
	switch mine.Sync {
	case op.SyncNone:
		return true
	case op.SyncAll:
		return false
	case op.SyncToRoot:
		// Elsewhere than at the root, which is RootRank in an intercommunicator, nobody is waited for.
		if mine.Peer != rank && mine.Peer != op.RootRank {
			return true
		}
		return false
	case op.SyncFromRoot, op.SyncLower:
	}
	place := slices.Index(c.Members, rank)
	present := 0
	for _, other := range g.parts {
		who := m.rank(m.parts[other].thread)
		needed := mine.Sync == op.SyncFromRoot && who == mine.Peer || mine.Sync == op.SyncLower &&
			slices.Index(c.Members, who) < place
		if needed && entered(other) {
			present++
		}
	}
	if mine.Sync == op.SyncLower {
		return present >= place
	}
	return present > 0 || mine.Peer < 0
}

// compulsory says whether a thread leaves its call sooner or later, and it does not matter when or with what.
func (s *state) compulsory(t int32) bool {
	if s.finished(t) {
		return false
	}
	o := s.op(t, s.at[t])
	if !o.Blocking || o.Opaque || o.Waiting == 0 {
		return true
	}
	waits := s.log.Threads[t].WaitsOf(o)
	if !o.Any {
		for int(s.next[t]) < len(waits) {
			if s.complete(s.of(&waits[s.next[t]])) != always {
				return false
			}
			s.next[t]++
		}
		return true
	}
	over, ready := true, false
	for i := range waits {
		id := s.of(&waits[i])
		if s.isOver(id) {
			continue
		}
		over = false
		ready = ready || s.complete(id) == always
	}
	return over || ready && !s.branching[callAt{t, s.at[t]}]
}

// exits are what a thread's call may report as it returns, if it may return and that is no compulsory move. Must says
// that it does return, sooner or later.
func (s *state) exits(t int32) (out [][]int32, must bool) {
	if s.finished(t) {
		return nil, false
	}
	o := s.op(t, s.at[t])
	waits := s.log.Threads[t].WaitsOf(o)
	var able []int32
	for i := range waits {
		id := s.of(&waits[i])
		if o.Any && s.isOver(id) {
			continue
		}
		switch s.complete(id) {
		case always:
			must = o.Any
			able = append(able, id)
		case perhaps:
			able = append(able, id)
		case never:
			if !o.Any {
				return nil, false
			}
		}
	}
	if !o.Any {
		return [][]int32{nil}, false
	}
	if len(able) == 0 {
		return nil, false
	}
	if !s.some(o) {
		for _, id := range able {
			out = append(out, []int32{id})
		}
		return out, must
	}
	if len(able) > manyRequests {
		s.partial = true
		out = append(out, able)
		for _, id := range able {
			out = append(out, []int32{id})
		}
		return out, must
	}
	return subsets(able), must
}

// manyRequests is the number of requests that a call may report at once, up to which every combination is tried.
const manyRequests = 12

// subsets gives all but the empty one.
func subsets(of []int32) (out [][]int32) {
	for _, id := range of {
		for _, some := range slices.Clone(out) {
			out = append(out, append(slices.Clone(some), id))
		}
		out = append(out, []int32{id})
	}
	return out
}
