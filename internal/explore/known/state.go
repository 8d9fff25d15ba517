package known

import (
	"slices"
	"strconv"

	"unknot/internal/vocab/op"
)

// live is a part that is not over for good: a message that nobody has taken, or something that its rank has not
// completed.
type live struct {
	n       uint32 // of the rank's parts
	p       *part
	node    int // the history of its rank when it was started
	matched bool
	done    bool // its rank has completed it
	met     source
}

// source is the message that a receive or probe met.
type source struct {
	rank op.Rank
	n    uint32
	node int
}

// state is a moment of a run.
type state struct {
	at      []*node
	entered []bool // whether the call at the node has begun
	parts   [][]live
	again   []uint32       // choices that a rank has made once more, polling in turns
	joined  map[member]int // collectives: the history of each that has begun its part
}

func (p *Program) start() *state {
	s := &state{at: slices.Clone(p.ranks), entered: make([]bool, len(p.ranks)), parts: make([][]live, len(p.ranks)),
		again: make([]uint32, len(p.ranks)), joined: make(map[member]int)}
	return s
}

func (s *state) clone() *state {
	c := &state{at: slices.Clone(s.at), entered: slices.Clone(s.entered), parts: make([][]live, len(s.parts)),
		again: slices.Clone(s.again), joined: make(map[member]int, len(s.joined))}
	for r := range s.parts {
		c.parts[r] = slices.Clone(s.parts[r])
	}
	for k, v := range s.joined {
		c.joined[k] = v
	}
	return c
}

// key is equal for equal states.
func (s *state) key() []byte {
	b := make([]byte, 0, 16*len(s.at))
	num := func(n int, end byte) {
		b = strconv.AppendInt(b, int64(n), 36)
		b = append(b, end)
	}
	for r, n := range s.at {
		num(n.id, ':')
		for i := range s.parts[r] {
			l := &s.parts[r][i]
			num(int(l.n), map[bool]byte{false: ',', true: '!'}[l.done])
			if l.matched && l.p.kind != op.Send {
				num(l.met.node, '.')
				num(int(l.met.n), ' ')
			} else if l.matched {
				b = append(b, '+')
			}
		}
		b = append(b, '/')
	}
	return b
}

// find is a live part of a rank; nil if it is over for good.
func (s *state) find(r op.Rank, n uint32) *live {
	for i := range s.parts[r] {
		if s.parts[r][i].n == n {
			return &s.parts[r][i]
		}
	}
	return nil
}

// drop removes what is over for good.
func (s *state) drop(r op.Rank) {
	s.parts[r] = slices.DeleteFunc(s.parts[r], func(l live) bool {
		switch l.p.kind {
		case op.Send:
			return l.matched && l.done
		}
		return l.done
	})
}

// finished says whether a rank has come to its end.
func (s *state) finished(r int) bool { return s.at[r].call != nil && s.at[r].call.final }
