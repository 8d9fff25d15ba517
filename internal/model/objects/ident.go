package objects

import (
	"hash/fnv"

	"unknot/internal/vocab/op"
)

// Identities are computed alike at every member, from what all members know: the parent, the place in the parent's
// order of collective calls, and who belongs to the new object.

const (
	WorldID  op.CommID = 1
	SaltSelf uint64    = iota + 0x5e1f
	SaltWin
	SaltFile
	SaltPost
	SaltComplete
	SaltGroup
	SaltLeader
	SaltParted
	SaltPersistent
	SaltFromGroup
)

// RepeatedID is for all communicators that have a process as more than one member, made of groups that no function may
// make (MPI-4.0, 7.3.2): what becomes of calls on them nobody can say.
const RepeatedID op.CommID = 2

// Ident is the identity of what is made from something that has one, in a way that words tell.
func Ident(parent op.CommID, words ...uint64) op.CommID {
	h := fnv.New64a()
	var b [8]byte
	put := func(v uint64) {
		for i := range b {
			b[i] = byte(v >> (8 * i))
		}
		h.Write(b[:])
	}
	put(uint64(parent))
	for _, w := range words {
		put(w)
	}
	return op.CommID(h.Sum64())
}

// MemberWords folds the members of both sides of a communicator, the same seen from either side.
func MemberWords(a, b op.Ranks) []uint64 {
	if len(b.Runs) > 0 && len(a.Runs) > 0 && b.Lowest() < a.Lowest() {
		a, b = b, a
	}
	words := make([]uint64, 0, a.Len()+b.Len()+1)
	for r := range a.All() {
		words = append(words, uint64(uint32(r)))
	}
	words = append(words, ^uint64(0))
	for r := range b.All() {
		words = append(words, uint64(uint32(r)))
	}
	return words
}
