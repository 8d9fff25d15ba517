package branching

import (
	"encoding/binary"
	"slices"

	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// fate is what MPI has decided on a send of standard mode, or on a member of a collective. All leaves it open; a single
// run decides when the operation starts.
type fate uint8

const (
	open    fate = iota
	free         // buffered; waits for no more than it must
	refused      // waits for its receiver; for all members
)

// Owners of a message or receive that are no slot.
const (
	byCall = -1 // the call that its rank is in
	nobody = -2 // the send is complete
)

// state is how far a run is. Ranks are those of MPI_COMM_WORLD, except for what a program sees.
type state struct {
	ranks []rankState
	waves [][]wave // by communicator: collectives that are not over for all members, from base on
	base  []int
	wrong string // what the program did that MPI does not allow
	dead  bool   // the state is not one of what was recorded
}

type rankState struct {
	pc     int
	inside bool
	over   bool
	regs   []int
	slots  []slot
	out    []message // that nobody has received, in order
	recvs  []posted  // without a message, in order
	seq    []int     // by communicator: collectives started
	now    current
	count  counters
	past   *past
}

// counters number what logs and plans name.
type counters struct{ ops, parts, wild, standard, choices uint32 }

// content is what comes with a message.
type content struct{ from, tag, count, value int }

type message struct {
	content
	to, comm int
	owner    int
}

type posted struct {
	from  int // rank in the communicator, -1 for any
	tag   int // -1 for any
	comm  int
	owner int
	any   bool // the program gave MPI_ANY_SOURCE
	// forced is set if a plan decides; from and tag are its then. The program's tag is kept for when the plan is
	// lifted.
	forced bool
	wanted int
}

// slot is a request or a message handle.
type slot struct {
	active bool
	kept   *kept // of a persistent request
	met    bool  // a send was received, a receive has a message, a handle holds one
	gone   bool  // cancelled
	mode   op.SendMode
	fate   fate
	got    content
	owner  int // handles: the sender's slot
	comm   int
	seq    int
	part   uint32
}

// kept is what a persistent request does when it is started.
type kept struct {
	call      *Call
	peer, tag int
}

// current is the call that a rank is in, as far as it has parts of its own.
type current struct {
	sent, received bool
	fate           fate
	mode           op.SendMode
	got            content
	part           uint32 // the first
	seq            int
	outcome        *plan.Outcome
	probe          posted // of a probe
}

type wave struct {
	kind     Kind
	root     int
	in, left uint16 // members, as bits
	value    int
}

// past is what a rank has called, the last first.
type past struct {
	before *past
	text   string
	hash   uint64
}

func (s *state) clone() *state {
	c := *s
	c.ranks = slices.Clone(s.ranks)
	for r := range c.ranks {
		k := &c.ranks[r]
		k.regs, k.slots, k.out = slices.Clone(k.regs), slices.Clone(k.slots), slices.Clone(k.out)
		k.recvs, k.seq = slices.Clone(k.recvs), slices.Clone(k.seq)
	}
	c.waves = slices.Clone(s.waves)
	for i := range c.waves {
		c.waves[i] = slices.Clone(c.waves[i])
	}
	c.base = slices.Clone(s.base)
	return &c
}

// key tells states apart by all that the future depends on; with is what else shall count.
func (s *state) key(with func(*rankState) []uint64) string {
	b := make([]byte, 0, 256)
	number := func(list ...int) {
		for _, n := range list {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	for r := range s.ranks {
		k := &s.ranks[r]
		number(k.pc, bit(k.inside)|bit(k.over)<<1|bit(k.now.sent)<<2|bit(k.now.received)<<3|int(k.now.fate)<<4)
		if k.now.received {
			number(k.now.got.from, k.now.got.tag, k.now.got.count, k.now.got.value)
		}
		number(k.regs...)
		for i := range k.slots {
			x := &k.slots[i]
			number(bit(x.active) | bit(x.met)<<1 | bit(x.gone)<<2 | int(x.fate)<<3 | int(x.mode)<<5 |
				bit(x.kept != nil)<<8)
			if x.kept != nil {
				number(x.kept.peer, x.kept.tag)
			}
			if x.met {
				number(x.got.from, x.got.tag, x.got.count, x.got.value, x.owner)
			}
			number(x.comm, x.seq)
		}
		number(len(k.out))
		for _, m := range k.out {
			number(m.to, m.comm, m.tag, m.count, m.value, m.owner)
		}
		number(len(k.recvs))
		for _, p := range k.recvs {
			number(p.from, p.tag, p.comm, p.owner, bit(p.forced))
		}
		number(k.seq...)
		if with != nil {
			for _, v := range with(k) {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
		}
	}
	for i := range s.waves {
		number(s.base[i], len(s.waves[i]))
		for _, v := range s.waves[i] {
			number(int(v.in), int(v.left), v.value)
		}
	}
	return string(b)
}

// done says whether all ranks are in MPI_Finalize.
func (s *state) done() bool {
	return !slices.ContainsFunc(s.ranks, func(k rankState) bool { return !k.over })
}
