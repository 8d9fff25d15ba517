package branching

import "math/rand/v2"

// machine makes moves of a program's runs. What it notes of them, and what it is held to, is set by its user.
type machine struct {
	*code
	rng    *rand.Rand // decides fates; nil to leave them open
	coins  [2]float64 // the chances that a send is buffered, and that a collective does not wait
	forced *forced    // nil without a plan
	rec    *recorder  // nil for nobody
	guide  *guide     // nil if every behaviour is wanted
	past   bool       // keep what ranks have called
}

// action is what a move does.
type action uint8

const (
	enters action = iota
	leaves
	meets
)

// need is what a move needs of MPI besides progress.
type need uint8

const (
	nothing  need = iota // it happens if nothing else does
	weakness             // a collective that does not wait for all members
	room                 // a send that is buffered
	never
)

// move is something that may happen next.
type move struct {
	action action
	rank   int
	need   need
	// forced moves stay possible whatever else happens and take nothing from anybody: their place in the order does not
	// matter.
	forced bool
	poll   bool  // leaves: finds nothing
	report []int // leaves: places of the requests that the call reports
	recv   int   // meets: place among the rank's receives
	from   int   // meets, and leaves of a probe: the sender…
	msg    int   // …and the place among its messages
}

func (m *machine) start() *state {
	s := &state{ranks: make([]rankState, len(m.ranks)), waves: make([][]wave, len(m.p.Comms)),
		base: make([]int, len(m.p.Comms))}
	for r := range s.ranks {
		k := &s.ranks[r]
		k.regs = make([]int, len(m.ranks[r].regs))
		k.slots = make([]slot, len(m.ranks[r].slots))
		k.seq = make([]int, len(m.p.Comms))
		m.walk(s, r)
	}
	return s
}

// mostSteps bounds what a rank does between two calls.
const mostSteps = 1000

// walk continues to the next call of a rank.
func (m *machine) walk(s *state, r int) {
	k := &s.ranks[r]
	for range mostSteps {
		i := &m.ranks[r].ins[k.pc]
		switch i.op {
		case opCall:
			return
		case opSet:
			m.set(s, r, i.reg, m.eval(s, r, i.value))
			k.pc++
		case opBranch:
			k.pc++
			if m.eval(s, r, i.value) == 0 {
				k.pc = i.to
			}
		case opJump:
			k.pc = i.to
		}
	}
	s.wrong = "a rank loops without a call"
}

func (m *machine) set(s *state, r int, reg Reg, v int) {
	if n, known := m.ranks[r].regs[reg]; known {
		s.ranks[r].regs[n] = v
	}
}

func (m *machine) eval(s *state, r int, e *Expr) int {
	k := &s.ranks[r]
	return e.eval(func(reg Reg) int {
		if reg.Area == In && reg.N < len(k.slots) && k.slots[reg.N].active {
			s.wrong = "a buffer is read while it is in use"
		}
		return k.regs[m.ranks[r].regs[reg]]
	})
}

// at is the call that a rank is in, or that comes next.
func (m *machine) at(s *state, r int) *instr { return &m.ranks[r].ins[s.ranks[r].pc] }

// moves are all things that may happen next.
func (m *machine) moves(s *state) []move {
	var out []move
	for r := range s.ranks {
		k := &s.ranks[r]
		if !k.over {
			if k.inside {
				out = append(out, m.exits(s, r)...)
			} else {
				out = append(out, move{action: enters, rank: r, forced: !m.decides(s, r)})
			}
		}
		for i := range k.recvs {
			for _, c := range m.candidates(s, r, &k.recvs[i], i) {
				definite := k.recvs[i].from >= 0 && (k.recvs[i].owner < 0 || !m.ranks[r].cancels[k.recvs[i].owner])
				out = append(out, move{action: meets, rank: r, recv: i, from: c.rank, msg: c.msg, forced: definite})
			}
		}
	}
	return out
}

// decides says whether the call that comes next takes a choice away: a cancellation does as long as its receive has no
// message.
func (m *machine) decides(s *state, r int) bool {
	c := m.at(s, r).call
	return c.Kind == Cancel && !s.ranks[r].slots[c.Slot].met
}

// do makes a move.
func (m *machine) do(s *state, v move) {
	switch v.action {
	case enters:
		m.enter(s, v.rank)
	case leaves:
		m.leave(s, v)
	case meets:
		m.meet(s, v)
	}
}

// settle makes forced moves until there are none, and returns the others.
func (m *machine) settle(s *state) []move {
	for {
		moves := m.moves(s)
		forced := false
		for _, v := range moves {
			if v.forced && v.need == nothing {
				m.do(s, v)
				forced = true
				break
			}
		}
		if !forced || s.wrong != "" || s.dead {
			return moves
		}
	}
}
