package check

import (
	"math/rand/v2"
	"testing"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// Two words that are exchanged, or moved by the same amount in opposite directions, give another value.
func TestHashesTellSmallNumbersApart(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	h := newHasher(table.ByName("MPI_Sendrecv"), rand.New(rand.NewPCG(1, 2)))
	seen := make(map[uint64][5]uint64)
	r := NewRank(objects.NewRank(0))
	r.Predefine(mpi.OType, 9, "MPI_INT")
	const high = 20000 // tags that are not near zero
	for n := range uint64(8 * 8 * 8 * 8 * 8) {
		v := [5]uint64{n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9 & 7, n >> 12 & 7}
		c := &Call{Call: objects.Call{Words: []uint64{0x1000, v[0], 9, v[1], high + v[2], 0x2000, v[3], 9, high + v[4],
			0, 1}}, Rank: r}
		alike, same := h.hash(c)
		if other, met := seen[alike]; met || alike == same {
			t.Fatalf("%v and %v have the value %#x, same %#x", v, other, alike, same)
		}
		seen[alike] = v
	}
}
