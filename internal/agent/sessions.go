package agent

import (
	"hash/fnv"
	"slices"
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Sessions (MPI-4.0, 11.3): communicators made of a group alone, and how a rank ends that has no MPI_Finalize.

// grouped is what a communicator is made of by MPI_Comm_create_from_group.
type grouped struct {
	tag string
	id  op.CommID // of the communicator
}

// groupAlone is the group of a creation that has no communicator to begin with: the members, the tag, and how many of
// both there were before say which it is (MPI-4.0, 7.4.2). It is nil if a member is not of MPI_COMM_WORLD.
func (c *call) groupAlone() *waitstate.Member {
	world := c.r.Objects.Comm(c.r.Objects.Limits.World)
	var list []op.Rank
	for _, v := range tail(c.List(mpi.RGroup)) {
		list = append(list, op.Rank(int32(v)))
	}
	if world == nil || len(list) == 0 || slices.Min(list) < 0 {
		return nil
	}
	members, tag := op.RanksOf(list...), decode.Text(c.Func.Values("stringtag", c.Words, true))
	h := fnv.New64a()
	h.Write([]byte(tag))
	key := uint64(objects.Ident(objects.WorldID, append(objects.MemberWords(members, op.Ranks{}), objects.SaltFromGroup,
		h.Sum64())...))
	nth := world.NextByGroup(key)
	c.t.pending = creation{kind: mpi.CommCreateGroup,
		of: &grouped{tag, objects.Ident(op.CommID(key), objects.SaltFromGroup, nth)}, site: c.t.site}
	m := c.a.node.Join(c.r.World, objects.Ident(op.CommID(key), objects.SaltGroup, nth), members)
	m.FreedByNext()
	return m
}

// leavingFor is how long a rank must have been in its last MPI_Session_finalize until it counts as leaving: a library
// may wait there for the other ranks, as that of MPI_Finalize does (MPI-4.0, 11.3.1), and the rank may begin another
// session after it.
const leavingFor = 3 * time.Second

// leaves says whether a thread is in the MPI_Session_finalize of its rank's only session, and does not return from it.
func (a *Agent) leaves(t *thread) bool {
	if !t.rank.Objects.Sessions || t.fn == nil || t.fn.Name != explain.SessionFinalize || !a.inside(t) ||
		t.rank.Objects.InSession() {
		return false
	}
	t.watch(a.now)
	e := &t.blocks
	if e.stamp != t.stamp || a.now.Sub(e.since) < leavingFor {
		return false
	}
	cpu, asleep := t.rank.processes.Time(t.rank.PID, t.tid)
	return asleep || cpu-e.cpu >= strandedTime
}
