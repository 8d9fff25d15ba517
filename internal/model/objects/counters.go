package objects

import "unknot/internal/vocab/op"

// Several things are distinguished by their place in an order that all members know.

// partedKey names the partitioned operations that are matched in the order of their initialisation (MPI-4.0, 4.2).
type partedKey struct {
	comm     op.CommID
	src, dst op.Rank
	tag      int32
}

// PartitionedID is the identity of the channel that the next partitioned operation of the rank with these arguments
// has.
func (r *Rank) PartitionedID(comm op.CommID, src, dst op.Rank, tag int32) op.CommID {
	key := partedKey{comm, src, dst, tag}
	nth := r.parted[key]
	Set(&r.parted, key, nth+1)
	return Ident(comm, SaltParted, uint64(uint32(src)), uint64(uint32(dst)), uint64(uint32(tag)), nth)
}

// NextIntercomm counts the intercommunicators made so far between the groups of one.
func (r *Rank) NextIntercomm(c *Comm) uint64 {
	key := uint64(Ident(0, MemberWords(c.Members, c.Remote)...))
	Set(&r.inters, key, r.inters[key]+1)
	return r.inters[key]
}
