package detect

import (
	"slices"
	"testing"

	"unknot/internal/model/waitfor"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Rank 1 is in the MPI_Session_finalize of its only session. It will not call a collective on a communicator that is
// there, but it may come to make a new communicator in another session, as long as anything moves in the job.
func TestWhoLeavesItsOnlySessionMayBeginAnother(t *testing.T) {
	const ctx = op.CommID(7)
	for _, c := range []struct {
		begins bool
		view   view
		dead   []waitfor.Node
	}{
		{false, necessary, []waitfor.Node{0}},
		{true, necessary, nil},
		{true, standing, []waitfor.Node{0}},
	} {
		var threads message.Folder
		members := waitstate.Need{Kind: waitstate.NeedMembers, Ctx: ctx, Sync: op.SyncAll, Index: -1}
		threads.Add(message.Wait{Rank: 0, State: message.Blocked, Evidence: true, Begins: c.begins,
			Real: waitstate.Wait{Rank: 0, Needs: []waitstate.Need{members}}})
		threads.Add(message.Wait{Rank: 1, State: message.Leaving})
		threads.Add(message.Wait{Rank: 2})
		s := merge(3, []*message.Report{{Threads: threads.Folds, Groups: map[op.CommID]op.Ranks{ctx: op.Between(0, 1)},
			Waves: []message.Wave{{Ctx: ctx, Arrived: op.Between(0, 0), Active: op.Between(0, 0)}}}})
		if got := s.graph(c.view).g.Dead(); !slices.Equal(got, c.dead) {
			t.Errorf("a collective that begins a communicator: %v, view %d: dead %v, want %v", c.begins,
				c.view, got, c.dead)
		}
		if !s.finalized(1) {
			t.Error("rank 1 does not count as one that has come to its end")
		}
	}
}
