package check

import (
	"testing"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestWhatAThreadMayHaveLearned: a receive of one thread begins at 10, a call of another at 12, and the first one's next
// call at 20. Nothing orders these two if the receive had returned by 12.
func TestWhatAThreadMayHaveLearned(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	recv := table.ByName("MPI_Recv")
	for _, c := range []struct {
		what     string
		returned []uint64 // as recorded before the call at 10 and before that at 20
		want     bool
	}{
		{"it returned before any other thread began a call", []uint64{0, 0}, true},
		{"it returned before 12", []uint64{0, 11}, true},
		{"it returned after 12", []uint64{0, 13}, false},
		{"it is not known when it returned", []uint64{0, vague}, false},
		{"it is not known of calls before it", []uint64{vague, 11}, true},
		{"it has not been known for some calls", []uint64{vague, 0}, false},
	} {
		r := &Rank{Order: new(Order)}
		call := func(thread op.Thread, stamp uint32) *Call {
			made := &Call{Rank: r}
			made.Thread, made.Func, made.Stamp = thread, recv, stamp
			r.Order.Begin(made)
			return made
		}
		r.Order.Know(0, c.returned[0], []uint64{1})
		r.Order.Know(1, 0, []uint64{0, 1})
		call(0, 10)
		place, known := call(1, 12).Place()
		r.Order.Know(0, c.returned[1], []uint64{1})
		if got := call(0, 20).Unordered(place); got != c.want || !known {
			t.Errorf("%s: unordered %t, want %t (known: %t)", c.what, got, c.want, known)
		}
	}
}
