package calls

import (
	"hash/fnv"
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Sessions (MPI-4.0, 11.3): communicators made of a group alone.

// groupAlone is the group of a Creation that has no communicator to begin with: the members, the tag, and how many of
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
	c.t.Pending = Creation{kind: mpi.CommCreateGroup,
		of: &grouped{tag, objects.Ident(op.CommID(key), objects.SaltFromGroup, nth)}, site: c.t.Site}
	m := c.a.Node.Join(c.r.World, objects.Ident(op.CommID(key), objects.SaltGroup, nth), members)
	m.FreedByNext()
	return m
}
