package rma

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// What one rank completes says nothing of the operations of another, whichever of the two the agent reads first.
func TestAWaitCompletesTheOperationsOfItsRankOnly(t *testing.T) {
	r := newRoom(t, 2)
	m := r.far.windows
	first, second := r.far.ranks[op.Rank(0)], r.far.ranks[op.Rank(1)]
	for _, rank := range []*check.Rank{first, second} {
		w := &window{rank: rank}
		m.origin.locals[rank] = &locals{list: []originBuffer{{win: w, request: true, call: check.Past{Fn: r.put}},
			{win: w, call: check.Past{Fn: r.put}}}}
		m.origin.pending += 2
		m.origin.asked[rank] = true
	}
	wait := &check.Call{Rank: second}
	wait.Func = &mpi.Func{Class: mpi.Wait}
	m.completions(wait)
	if n := len(m.origin.locals[second].list); n != 1 {
		t.Errorf("rank 1 has %d operations after its wait, want the one without a request", n)
	}
	if n := len(m.origin.locals[first].list); n != 2 {
		t.Errorf("rank 0 has %d operations after a wait of rank 1, want both", n)
	}
	if m.origin.pending != 3 {
		t.Errorf("%d operations are counted, want 3", m.origin.pending)
	}
}
