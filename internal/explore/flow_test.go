//go:build !quick

package explore

import (
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// oneCall is a run in which two threads of rank 0 have started a receive, and the first one calls something on a
// communicator that waits for the receive of one of them.
func oneCall(comm op.CommID, of uint32) *trace.Log {
	part := []trace.Part{{Kind: op.Recv, Peer: 0}}
	return &trace.Log{Funcs: []string{"MPI_Wait"}, Comms: []trace.Comm{{ID: comm, Members: []op.Rank{0, 1}}},
		Threads: []trace.Thread{
			{Ops: []trace.Op{{Started: 1, Waiting: 1}}, Parts: part, Waits: []trace.Wait{{Thread: of}}},
			{Index: 1, Parts: part},
		}}
}

func TestFlowsDifferByCommunicatorsAndThreads(t *testing.T) {
	one := flow(oneCall(7, 0))
	if again := flow(oneCall(7, 0)); again != one {
		t.Error("a run has two flows")
	}
	if flow(oneCall(8, 0)) == one {
		t.Error("two communicators without names are taken for one")
	}
	if flow(oneCall(7, 1)) == one {
		t.Error("the requests of two threads are taken for one")
	}
}

// TestCollectivesOfManyRanks has rank 65,536 in a broadcast of rank 0, which has not come: the two are not the same.
func TestCollectivesOfManyRanks(t *testing.T) {
	l := &trace.Log{Comms: []trace.Comm{{ID: 1}}}
	for r := range op.Rank(65_537) {
		l.Comms[0].Members = append(l.Comms[0].Members, r)
	}
	w := newWalk(&course{log: l})
	w.got[member{0, 0, 65_536}] = true
	if w.gathered(&trace.Part{Kind: op.Coll, Sync: op.SyncFromRoot}, 65_536) {
		t.Error("rank 65536 is taken for rank 0")
	}
}
