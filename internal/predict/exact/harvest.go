package exact

import (
	"cmp"
	"encoding/binary"
	"slices"

	"unknot/internal/model/waitfor"
	"unknot/internal/vocab/op"
)

// harvest keeps the deadlocks that were found, one for each core.
type harvest struct {
	*model
	max   int
	found []Deadlock
	cores map[string]int // in found
	dead  bool           // one was found
}

func newHarvest(m *model) *harvest {
	return &harvest{model: m, max: m.options.Max, cores: make(map[string]int)}
}

func (h *harvest) full() bool { return len(h.found) >= h.max }

// add takes a state in which nobody needs to move. It returns the cores there, or nil if nobody is stuck. A call that
// would be stuck also if MPI kept its messages may belong to other cores then than if it does not; the former come
// first, for they ask for less.
func (h *harvest) add(s *state) [][]waitfor.Node {
	cores, dropped := h.gather(s, true)
	if dropped {
		more, _ := h.gather(s, false)
		cores = append(cores, more...)
	}
	return cores
}

// gather finds the cores of a state, with or without the parts that a stuck call need not wait for.
func (h *harvest) gather(s *state, lenient bool) (cores [][]waitfor.Node, dropped bool) {
	g := waitfor.New(len(s.at))
	var stuck []Stuck
	for t := range int32(len(s.at)) {
		if s.finished(t) {
			continue
		}
		waits := h.lacks(s, t)
		if lenient && !s.op(t, s.at[t]).Any {
			firm := slices.DeleteFunc(slices.Clone(waits), func(id int32) bool { return s.complete(id) == perhaps })
			if len(firm) > 0 {
				dropped = dropped || len(firm) < len(waits)
				waits = firm
			}
		}
		x := Stuck{Thread: uint32(t), Op: uint32(s.at[t])}
		var nodes []waitfor.Node
		for _, id := range waits {
			on, node := h.helpers(s, g, id)
			b := Blocked{Part: s.ref(id), On: on}
			if s.parts[id].kind == op.Coll && s.started(id) {
				b.Missing = s.missing(id)
			}
			x.Waits, nodes = append(x.Waits, b), append(nodes, node)
		}
		stuck = append(stuck, x)
		if s.op(t, s.at[t]).Any {
			g.BlockAny(waitfor.Node(t), nodes)
		} else {
			g.Block(waitfor.Node(t), nodes)
		}
	}
	if len(stuck) == 0 || len(g.Dead()) == 0 {
		return nil, dropped
	}
	h.dead = true
	cores = g.Cores(0)
	for _, core := range cores {
		key := coreKey(s, core)
		at, known := h.cores[key]
		if known && h.found[at].Certain || !known && h.full() {
			continue
		}
		certain, supposes := h.certain(s, stuck, core)
		if known && !certain {
			continue
		}
		d := h.deadlock(s, stuck, g.Dead(), core)
		d.Certain, d.Supposes = certain, supposes
		if known {
			h.found[at] = d
			continue
		}
		h.cores[key] = len(h.found)
		h.found = append(h.found, d)
	}
	return cores, dropped
}

// lacks are the parts that a thread's call waits for and that need not be complete.
func (h *harvest) lacks(s *state, t int32) (out []int32) {
	waits := s.log.Threads[t].WaitsOf(s.op(t, s.at[t]))
	for i := range waits {
		if id := s.of(&waits[i]); s.complete(id) != always {
			out = append(out, id)
		}
	}
	return out
}

// coreKey names a core by its calls.
func coreKey(s *state, core []waitfor.Node) string {
	var b []byte
	for _, t := range core {
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(t)), uint32(s.at[t]))
	}
	return string(b)
}

// helpers are the threads that could complete a part, and what must happen among them.
func (h *harvest) helpers(s *state, g *waitfor.Graph, id int32) ([]uint32, waitfor.Node) {
	p := &s.parts[id]
	from := s.ref(id).part(s.log)
	switch {
	case !s.started(id):
		return []uint32{uint32(p.thread)}, g.Any([]waitfor.Node{waitfor.Node(p.thread)})
	case p.kind == op.Coll:
		var on []uint32
		var all []waitfor.Node
		for _, r := range s.missing(id) {
			threads, node := s.alive(g, r)
			on, all = append(on, threads...), append(all, node)
		}
		slices.Sort(on)
		return slices.Compact(on), g.All(all)
	case p.any:
		var on []uint32
		var any []waitfor.Node
		for _, r := range s.log.Comms[from.Comm].Peers(s.rank(p.thread)) {
			if r == s.rank(p.thread) && len(s.byRank[r]) == 1 {
				continue
			}
			threads, node := s.alive(g, r)
			on, any = append(on, threads...), append(any, node)
		}
		slices.Sort(on)
		return slices.Compact(on), g.Any(any)
	}
	return s.alive(g, from.Peer)
}

// missing are the ranks that a collective waits for at one member.
func (s *state) missing(id int32) []op.Rank {
	g := &s.groups[s.parts[id].group]
	c := &s.log.Comms[g.comm]
	here := make(map[op.Rank]bool)
	for _, p := range g.parts {
		if s.started(p) {
			here[s.rank(s.parts[p].thread)] = true
		}
	}
	mine := s.ref(id).part(s.log)
	place := slices.Index(c.Members, s.rank(s.parts[id].thread))
	var out []op.Rank
	for i, r := range slices.Concat(c.Members, c.Remote) {
		needed := s.options.Collectives != CollectWeak || mine.Sync == op.SyncAll || mine.Sync == op.SyncToRoot ||
			mine.Sync == op.SyncFromRoot && r == mine.Peer || mine.Sync == op.SyncLower && i < place
		if needed && !here[r] {
			out = append(out, r)
		}
	}
	return out
}

// alive are the threads of a rank that are not finished. Where the log was cut, what they do next is not known.
func (s *state) alive(g *waitfor.Graph, r op.Rank) (threads []uint32, any waitfor.Node) {
	var nodes []waitfor.Node
	if int(r) < len(s.byRank) && r >= 0 {
		for _, t := range s.byRank[r] {
			if !s.finished(t) || s.open[t] {
				threads, nodes = append(threads, uint32(t)), append(nodes, waitfor.Node(t))
			}
		}
	}
	return threads, g.Any(nodes)
}

// deadlock writes down how a state came about.
func (h *harvest) deadlock(s *state, stuck []Stuck, dead, core []waitfor.Node) Deadlock {
	var d Deadlock
	for e := s.past; e != nil; e = e.before {
		if e.recv == none {
			x := Exit{Thread: uint32(e.thread), Op: uint32(e.op)}
			for _, id := range e.reported {
				x.Done = append(x.Done, s.ref(id))
			}
			d.Exits = append(d.Exits, x)
			continue
		}
		m := Match{s.ref(e.recv), s.ref(e.send)}
		d.Matches = append(d.Matches, m)
		if was, now := m.Recv.part(s.log), m.Send.part(s.log); s.parts[e.recv].contested &&
			(was.Matched != s.rank(s.parts[e.send].thread) || was.MatchedTag != now.Tag) {
			d.Decisions = append(d.Decisions, m)
		}
	}
	slices.Reverse(d.Exits)
	slices.Reverse(d.Matches)
	slices.Reverse(d.Decisions)
	for _, t := range dead {
		i, _ := slices.BinarySearchFunc(stuck, uint32(t), func(a Stuck, t uint32) int {
			return cmp.Compare(a.Thread, t)
		})
		d.Stuck = append(d.Stuck, stuck[i])
	}
	for _, x := range d.Stuck {
		for _, w := range x.Waits {
			id := s.base[w.Part.Thread] + int32(w.Part.Part)
			switch {
			case s.complete(id) != perhaps:
			case s.parts[id].kind == op.Coll:
				d.Synchronising = append(d.Synchronising, w.Part)
			default:
				d.Unbuffered = append(d.Unbuffered, w.Part)
			}
		}
	}
	for _, t := range core {
		d.Core = append(d.Core, uint32(t))
	}
	return d
}
