package judge

import (
	"testing"

	"unknot/internal/attach/look"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// TestAThreadThatIsJoinedIsKnown: who waits for its end can be woken by nobody else, whatever the threads of libraries
// do.
func TestAThreadThatIsJoinedIsKnown(t *testing.T) {
	for value, want := range map[uint32]finding.Code{9: finding.Deadlock, 10: finding.DeadlockLikely} {
		hosts := cycle(t, "x", "x")
		var ranks []look.Rank
		for i := range hosts {
			r := hosts[i].Ranks[0]
			r.Local = 2
			worker := r.Threads[0]
			worker.TID = 9
			main := look.Thread{TID: 7, Own: true, Kept: look.Stays, Ran: true, Frames: []finding.Frame{
				{Function: "pthread_join", Library: symbol.CLibrary}, {Function: "main", File: "a.c"}},
				Activity: procstat.Activity{State: 'S', Call: "futex", Restarts: true, Value: value}}
			woken := look.Thread{TID: 8, Kept: look.Left} // of a library
			r.Threads = []look.Thread{main, worker, woken}
			ranks = append(ranks, r)
		}
		j := New([]look.Host{{Name: "a", Seconds: 1, Ranks: ranks}})
		dead := len(j.graph(0).Dead())
		if proved := dead == 4; proved != (want == finding.Deadlock) {
			t.Errorf("waits for thread %d: %d threads are proved to wait forever", value, dead)
		}
	}
}
