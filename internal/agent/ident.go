package agent

import (
	"hash/fnv"
	"slices"

	"unknot/internal/op"
)

// Identities are computed alike at every member, from what all members know: the parent, the place in the parent's order
// of collective calls, and who belongs to the new object.

const (
	worldID  op.CommID = 1
	saltSelf uint64    = iota + 0x5e1f
	saltWin
	saltFile
	saltPost
	saltComplete
	saltGroup
	saltLeader
	saltParted
	saltPersistent
)

func ident(parent op.CommID, words ...uint64) op.CommID {
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

// memberWords folds the members of both sides of a communicator, the same seen from either side.
func memberWords(a, b []op.Rank) []uint64 {
	if len(b) > 0 && len(a) > 0 && slices.Min(b) < slices.Min(a) {
		a, b = b, a
	}
	words := make([]uint64, 0, len(a)+len(b)+1)
	for _, r := range a {
		words = append(words, uint64(uint32(r)))
	}
	words = append(words, ^uint64(0))
	for _, r := range b {
		words = append(words, uint64(uint32(r)))
	}
	return words
}
