package branching

import (
	"fmt"
	"slices"
	"strings"
)

// Behaviours is everything that a program may do.
type Behaviours struct {
	// Deadlock says that some behaviour hangs in which collectives wait for no more than they must; OnlyStrict, that
	// one does only where they synchronise (MPI-4.0, 6.1). A hang is also a poll that is repeated forever and can find
	// nothing.
	Deadlock, OnlyStrict bool
	// Deadlocks are all hangs, by Deadlock.String.
	Deadlocks map[string]Deadlock
	// Flows are the control flows of all behaviours that end or hang, as FlowOf writes them.
	Flows map[string]bool
	// Ends says that some behaviour ends well.
	Ends bool
	// Wrong is what the program does, in some behaviour, that MPI does not allow; empty for a right program.
	Wrong string
	// Exhaustive says that Deadlocks and Ends are all there is, AllFlows that Flows are. Neither is looked for further
	// once something wrong has been found.
	Exhaustive, AllFlows bool
	States               int
}

// Deadlock is a hang: who is stuck where. The other ranks have ended.
type Deadlock struct {
	Stuck  []Stuck
	Strict bool // it needs a collective to wait for more than it must
}

// Stuck is a rank that does not get on, and the calls that it is in: more than one if it polls at several places in
// turn.
type Stuck struct {
	Rank  int
	Calls []Place
}

// Place is a call in the program.
type Place struct {
	Fn   string
	Line int // in C
}

// String names a deadlock: "0: MPI_Recv:120; 2: MPI_Test:130".
func (d Deadlock) String() string {
	var list []string
	for _, s := range d.Stuck {
		var calls []string
		for _, c := range s.Calls {
			calls = append(calls, fmt.Sprintf("%s:%d", c.Fn, c.Line))
		}
		list = append(list, fmt.Sprintf("%d: %s", s.Rank, strings.Join(calls, ", ")))
	}
	return strings.Join(list, "; ")
}

// All goes through every behaviour of a program, with limit states at most, and as many again for the control flows.
func (p *Program) All(limit int) Behaviours {
	c := compile(p)
	x := newExploration(&machine{code: c}, limit)
	exact := x.run()
	b := Behaviours{Deadlocks: make(map[string]Deadlock), Flows: make(map[string]bool), Exhaustive: exact,
		States: len(x.nodes), Wrong: x.wrong}
	if b.Wrong != "" {
		b.Exhaustive = false
		return b
	}
	for _, n := range x.nodes {
		b.Ends = b.Ends || n.done
	}
	for _, strict := range []bool{false, true} {
		for _, d := range x.hangs(strict) {
			if _, known := b.Deadlocks[d.String()]; known {
				continue
			}
			d.Strict = strict
			b.Deadlocks[d.String()] = d
			b.Deadlock = b.Deadlock || !strict
		}
	}
	b.OnlyStrict = !b.Deadlock && len(b.Deadlocks) > 0
	if !exact {
		return b
	}
	y := newExploration(&machine{code: c, past: true}, limit)
	b.AllFlows = y.run()
	for _, n := range y.nodes {
		if n.done {
			b.Flows[n.state.flow()] = true
		}
	}
	for _, group := range y.stuck(true) {
		b.Flows[y.nodes[group[0]].state.flow()] = true
	}
	return b
}

// node is a state and where it leads.
type node struct {
	state *state
	edges []edge
	done  bool
	// strays says that it also leads away from the log that is followed.
	strays bool
}

type edge struct {
	to   int
	need need
}

// exploration visits every state that can be reached, once.
type exploration struct {
	*machine
	limit int
	nodes []*node
	known map[string]int
	wrong string
}

func newExploration(m *machine, limit int) *exploration {
	return &exploration{machine: m, limit: limit, known: make(map[string]int)}
}

// run visits all states; false if there are more than the limit.
func (x *exploration) run() bool {
	x.add(x.start())
	for at := 0; at < len(x.nodes) && x.wrong == ""; at++ {
		if len(x.nodes) > x.limit {
			return false
		}
		n := x.nodes[at]
		for _, v := range x.moves(n.state) {
			next := n.state.clone()
			x.do(next, v)
			to, alive := x.add(next)
			if alive {
				n.edges = append(n.edges, edge{to, v.need})
			} else if v.need == nothing {
				n.strays = true
			}
		}
	}
	return true
}

// add settles a state, and gives it a number if it is new.
func (x *exploration) add(s *state) (int, bool) {
	if s.wrong == "" && !s.dead {
		x.settle(s)
	}
	if s.dead {
		return 0, false
	}
	done := s.done()
	if done && s.wrong == "" && slices.ContainsFunc(s.ranks, func(k rankState) bool { return len(k.out) > 0 }) {
		s.wrong = "a message that nobody receives is left in the end"
	}
	if s.wrong != "" && x.wrong == "" && x.guide == nil {
		x.wrong = s.wrong
	}
	key := s.key(x.distinct())
	if at, known := x.known[key]; known {
		return at, true
	}
	x.known[key] = len(x.nodes)
	x.nodes = append(x.nodes, &node{state: s, done: done})
	return len(x.nodes) - 1, true
}

// distinct is what tells states apart besides what their future depends on.
func (x *exploration) distinct() func(*rankState) []uint64 {
	switch {
	case x.past:
		return func(k *rankState) []uint64 {
			if k.past == nil {
				return []uint64{0}
			}
			return []uint64{k.past.hash}
		}
	case x.guide != nil:
		return func(k *rankState) []uint64 { return []uint64{uint64(k.count.ops), uint64(k.count.parts)} }
	}
	return nil
}

// hangs are the deadlocks, with collectives that wait for as much as they may, or for no more than they must.
func (x *exploration) hangs(strict bool) (out []Deadlock) {
	for _, group := range x.stuck(strict) {
		var states []*state
		for _, n := range group {
			states = append(states, x.nodes[n].state)
		}
		out = append(out, x.describe(states))
	}
	return out
}

// describe says who is stuck where in states that lead nowhere but to each other.
func (m *machine) describe(states []*state) (d Deadlock) {
	for r := range m.ranks {
		var calls []Place
		for _, s := range states {
			if s.ranks[r].over {
				break
			}
			i := m.at(s, r)
			if c := (Place{i.call.name(), i.line}); !slices.Contains(calls, c) {
				calls = append(calls, c)
			}
		}
		slices.SortFunc(calls, func(a, b Place) int { return a.Line - b.Line })
		if len(calls) > 0 {
			d.Stuck = append(d.Stuck, Stuck{r, calls})
		}
	}
	return d
}
