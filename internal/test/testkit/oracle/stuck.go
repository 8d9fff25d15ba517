package oracle

import "unknot/internal/vocab/op"

// Legal says what MPI is free to do in an exploration of all runs. The zero value is all that the standard allows.
type Legal struct {
	Buffered, Synchronous bool // every send of standard mode is, if one of them is set
	Weak, Strict          bool // every collective waits for no more than it must, or for all
	States                int  // the most to visit, 0 for maxStates
}

// Stuck gives every state in which a legal run of a program blocks forever, for every order of events and everything
// that MPI may choose: what it buffers, message by message, and how far collectives synchronise, member by member. The
// states are few enough to compare only if exact is true; otherwise there were too many to visit.
func Stuck(p *Program, legal Legal) (stuck []*Machine, exact bool) {
	x := &freely{legal: legal}
	exact = x.all(p)
	return x.stuck, exact
}

// Pair is a message and the receive or probe that it met.
type Pair struct{ Send, Recv Name }

// Meets gives every message that a receive or probe meets in some legal run of a program. They are all only if exact is
// true; otherwise there were too many states to visit.
func Meets(p *Program, legal Legal) (pairs map[Pair]bool, exact bool) {
	pairs = make(map[Pair]bool)
	x := &freely{legal: legal, visit: func(m *Machine) {
		for r := range m.Pieces {
			for n := range m.Pieces[r] {
				if e := &m.Pieces[r][n]; e.Matched != nil && (e.Role == Receiver || e.Role == Prober) {
					pairs[Pair{*e.Matched, Name{r, n}}] = true
				}
			}
		}
	}}
	exact = x.all(p)
	return pairs, exact
}

// all goes everywhere from the start of a program; false if there are too many states.
func (x *freely) all(p *Program) bool {
	x.seen = make(map[string]bool)
	if x.legal.States == 0 {
		x.legal.States = maxStates
	}
	m := NewMachine(p, nil)
	m.Rigid = true
	x.from(m)
	return len(x.seen) < x.legal.States
}

// freely goes everywhere from a state, as exploration does. What MPI is free to choose of a send or a member is chosen
// when it first shows: as long as nobody's call returns because of it, it may as well have been chosen either way.
type freely struct {
	legal Legal
	seen  map[string]bool
	stuck []*Machine
	visit func(*Machine) // every state that was not seen before, nil for nobody
}

func (x *freely) from(m *Machine) {
	moves := x.settle(m)
	if len(x.seen) >= x.legal.States {
		return
	}
	key := x.key(m)
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	if x.visit != nil {
		x.visit(m)
	}
	if len(moves) == 0 {
		for r, at := range m.At {
			if at < len(m.Prog.Ranks[r]) {
				x.stuck = append(x.stuck, m)
				break
			}
		}
	}
	for _, v := range moves {
		next := m.Clone()
		next.Do(v)
		x.from(next)
	}
	for _, n := range x.open(m) {
		next := m.Clone()
		next.piece(n).Free = true
		x.from(next)
	}
}

// settle makes forced moves until there are none, and returns the others.
func (x *freely) settle(m *Machine) []Move {
	for {
		moves := m.Moves()
		forced := false
		for _, v := range moves {
			if !v.Forced {
				continue
			}
			forced = true
			first := len(m.Pieces[v.Rank])
			m.Do(v)
			if !v.IsMatch {
				x.fix(m, v.Rank, first)
			}
		}
		if !forced {
			return moves
		}
	}
}

// fix sets what MPI is not free to choose of the pieces that a rank has just started.
func (x *freely) fix(m *Machine, rank, first int) {
	for n := first; n < len(m.Pieces[rank]); n++ {
		p := &m.Pieces[rank][n]
		p.Free = p.Free || p.Role == Sender && p.Mode == op.Standard && x.legal.Buffered ||
			p.Role == Member && x.legal.Weak
	}
}

// open are the pieces that some rank waits for now and that MPI could still choose to let go sooner.
func (x *freely) open(m *Machine) (out []Name) {
	for r := range m.At {
		for _, n := range m.Waits(r) {
			p := &m.Pieces[r][n]
			choice := p.Role == Sender && p.Mode == op.Standard && !x.legal.Synchronous || p.Role == Member &&
				!x.legal.Strict
			if choice && !p.Free && !m.complete(r, p) {
				out = append(out, Name{r, n})
			}
		}
	}
	return out
}

func (x *freely) key(m *Machine) string {
	key := []byte(m.key())
	for r := range m.Pieces {
		for n := range m.Pieces[r] {
			p := &m.Pieces[r][n]
			if p.Free && !p.Over && p.Matched == nil {
				key = append(key, byte(r), byte(n))
			}
		}
	}
	return string(key)
}
