package oracle

import "encoding/binary"

// maxStates bounds an exploration.
const maxStates = 20000

// Movable says which ranks leave the call that they are in, in some way to go on from here that the standard allows.
// Sends and collectives that are not in progress yet may be buffered; sends in progress stay as MPI took them. It is
// inexact if there were too many states; then every rank that is said to leave does, and others may.
func (m *Machine) Movable() (left []bool, exact bool) {
	left = make([]bool, len(m.At))
	start := m.Clone()
	start.Lenient = true
	for r := range start.Pieces {
		for n := range start.Pieces[r] {
			if p := &start.Pieces[r][n]; p.Role == Member {
				p.Free = true
			}
		}
	}
	exact = start.explore(func(s *Machine, _ bool) {
		for r, at := range s.At {
			left[r] = left[r] || at > m.At[r]
		}
	})
	return left, exact
}

// Unbuffered gives the places where a program may end if MPI buffers nothing and all collectives synchronise: the call
// that each rank is in when nothing can move, for every order of events.
func Unbuffered(p *Program) (ends [][]int, exact bool) {
	m := NewMachine(p, nil)
	m.Rigid = true
	exact = m.explore(func(s *Machine, isEnd bool) {
		if isEnd {
			ends = append(ends, s.At)
		}
	})
	return ends, exact
}

// explore visits every state that can be reached, until there are too many; then it returns false.
func (m *Machine) explore(visit func(m *Machine, isEnd bool)) bool {
	x := &exploration{visit: visit, seen: make(map[string]bool)}
	x.from(m.Clone())
	return len(x.seen) < maxStates
}

type exploration struct {
	visit func(m *Machine, isEnd bool)
	seen  map[string]bool
}

// from goes everywhere from a state. Moves that are forced are made at once: they stay possible whatever else happens
// and take nothing from anybody, so that their place in the order does not matter.
func (x *exploration) from(m *Machine) {
	moves := m.settle()
	key := m.key()
	if x.seen[key] || len(x.seen) >= maxStates {
		return
	}
	x.seen[key] = true
	x.visit(m, len(moves) == 0)
	for _, v := range moves {
		next := m.Clone()
		next.Do(v)
		x.from(next)
	}
}

// settle makes forced moves until there are none, and returns the others.
func (m *Machine) settle() []Move {
	for {
		moves := m.Moves()
		forced := false
		for _, v := range moves {
			if v.Forced {
				m.Do(v)
				forced = true
				break
			}
		}
		if !forced {
			return moves
		}
	}
}

// key tells states apart. What ranks did in which order is not part of it.
func (m *Machine) key() string {
	var b []byte
	for r := range m.At {
		b = append(b, byte(m.At[r]), byte(len(m.Pieces[r])))
		for n := range m.Pieces[r] {
			p := &m.Pieces[r][n]
			met := uint16(0)
			if p.Matched != nil {
				met = uint16(p.Matched.Rank+1)<<8 | uint16(p.Matched.N)
			}
			b = binary.LittleEndian.AppendUint16(b, met)
			if p.Over {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	return string(b)
}
