package detect

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestHistoriesOfAgentsAreOne joins those of two agents, of which the second has the lower rank: equal calls are one,
// both ends of a message and the members of a collective find each other, and what has only one end is left out.
func TestHistoriesOfAgentsAreOne(t *testing.T) {
	send, recv, sum := finding.PastCall{Call: "MPI_Send"}, finding.PastCall{Call: "MPI_Recv"},
		finding.PastCall{Call: "MPI_Reduce"}
	wave, lone := message.WaveID{Ctx: 7, Seq: 1}, message.WaveID{Ctx: 7, Seq: 2}
	got := historyOf([]message.History{
		{Kept: 4, Calls: []finding.PastCall{recv, sum}, Tracks: []message.Track{{Rank: 1, Earlier: 3, Open: true,
			Steps: []message.Step{{Call: 0, Matches: true, TS: 5}, {Call: 1, Matches: true, TS: 6, Wave: wave,
				Sync: op.SyncToRoot, Root: 0}, {Call: 9}},
			Matched: []message.Matched{{Rank: 0, TS: 2, Step: 0}, {Rank: 0, TS: 1, Step: 0},
				{Rank: 0, TS: 2, Step: 40}}}}},
		{Kept: 4, Calls: []finding.PastCall{send, sum}, Tracks: []message.Track{{Rank: 0,
			Steps: []message.Step{{Call: 0, TS: 1}, {Call: 0, Matches: true, TS: 2, Calls: 6, Times: 3},
				{Call: 1, Matches: true, TS: 3, Wave: wave, Sync: op.SyncToRoot, Root: 0},
				{Call: 1, Matches: true, TS: 4, Wave: lone, Root: op.AnySource}}}}},
	})
	root := 0
	want := &finding.History{Kept: 4, Calls: []finding.PastCall{recv, sum, send},
		Threads: []finding.Track{
			{Rank: 0, Steps: []int{2, 2, 1, 1}, Repeats: []finding.Repeat{{After: 1, Times: 3, Calls: 6}}},
			{Rank: 1, Earlier: 3, Steps: []int{0, 1}, Open: true}},
		Messages:    [][4]int{{0, 1, 1, 0}},
		Collectives: []finding.Collective{{Waits: "to root", Root: &root, Members: [][2]int{{0, 2}, {1, 1}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
	if historyOf(nil) != nil {
		t.Error("there is a history of nothing")
	}
}

// TestATopologyIsToldOnce has two ranks that know the same communicator.
func TestATopologyIsToldOnce(t *testing.T) {
	one := message.Topology{Comm: 5, Name: "grid", Dims: []int64{2}, Periodic: []bool{false}, Members: op.RanksOf(3, 1)}
	list := mergeTopologies(mergeTopologies(nil, []message.Topology{one}),
		[]message.Topology{one, {Comm: 6, Name: "b", Dims: []int64{1}, Periodic: []bool{true}, Members: op.RanksOf(2)}})
	want := []finding.Topology{{Name: "b", Dims: []int{1}, Periodic: []bool{true}, Ranks: []int{2}},
		{Name: "grid", Dims: []int{2}, Periodic: []bool{false}, Ranks: []int{3, 1}}}
	if diff := cmp.Diff(want, topologiesOf(list)); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}
