package branching

import (
	"fmt"
	"math/bits"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// join makes a rank a member of the next collective on a communicator.
func (m *machine) join(s *state, r int, c *Call) trace.Part {
	k := &s.ranks[r]
	me := m.p.rankIn(c.Comm, r)
	seq := k.seq[c.Comm]
	k.seq[c.Comm]++
	if me < 0 {
		s.wrong = "a collective on a communicator of others"
		return trace.Part{}
	}
	for len(s.waves[c.Comm]) <= seq-s.base[c.Comm] {
		s.waves[c.Comm] = append(s.waves[c.Comm], wave{kind: c.Kind, root: c.Root})
	}
	v := &s.waves[c.Comm][seq-s.base[c.Comm]]
	if v.in != 0 && (v.kind != c.Kind || v.root != c.Root) {
		s.wrong = fmt.Sprintf("members of a collective call %s and %s", kindNames[v.kind], kindNames[c.Kind])
	}
	v.kind, v.root, v.in = c.Kind, c.Root, v.in|1<<me
	switch {
	case c.Kind == Reduce || c.Kind == Allreduce:
		v.value += m.eval(s, r, c.Value)
	case (c.Kind == Bcast || c.Kind == Ibcast) && me == c.Root:
		v.value = m.eval(s, r, c.Value)
	}
	f := m.toss(1)
	if c.Kind == Ibarrier || c.Kind == Ibcast {
		k.slots[c.Slot] = slot{comm: c.Comm, seq: seq, fate: f}
	} else {
		k.now.fate, k.now.seq = f, seq
	}
	part := trace.Part{Kind: op.Coll, Comm: uint32(c.Comm), Peer: op.AnySource, Seq: uint64(seq), What: uint64(c.Kind) +
		1, Bytes: -1,
		Matched: op.Unknown, MatchedTag: int32(op.Unknown)}
	switch c.Kind {
	case Bcast, Ibcast:
		part.Sync, part.Peer = op.SyncFromRoot, op.Rank(m.p.Comms[c.Comm][c.Root])
	case Reduce:
		part.Sync, part.Peer = op.SyncToRoot, op.Rank(m.p.Comms[c.Comm][c.Root])
	default:
		part.Sync = op.SyncAll
	}
	return part
}

// gathered says what a member's part in a collective needs to be over (MPI-4.0, 6.1).
func (m *machine) gathered(s *state, r, comm, seq int, f fate) need {
	v := &s.waves[comm][seq-s.base[comm]]
	me := m.p.rankIn(comm, r)
	if bits.OnesCount16(v.in) == len(m.p.Comms[comm]) {
		return nothing
	}
	least := false
	switch v.kind {
	case Bcast, Ibcast:
		least = v.in>>v.root&1 == 1
	case Reduce:
		least = me != v.root
	}
	switch {
	case !least || f == refused:
		return never
	case f == free:
		return nothing
	}
	return weakness
}

// scattered gives a member the result of a collective, and forgets those that are over for all.
func (m *machine) scattered(s *state, r, slot, comm, seq int) {
	v := &s.waves[comm][seq-s.base[comm]]
	me := m.p.rankIn(comm, r)
	if v.kind == Bcast || v.kind == Ibcast || v.kind == Allreduce || v.kind == Reduce && me == v.root {
		m.set(s, r, Reg{In, slot}, v.value)
	}
	v.left |= 1 << me
	for len(s.waves[comm]) > 0 && bits.OnesCount16(s.waves[comm][0].left) == len(m.p.Comms[comm]) {
		s.waves[comm] = s.waves[comm][1:]
		s.base[comm]++
	}
}
