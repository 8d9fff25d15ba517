package report

import (
	"fmt"

	"unknot/internal/vocab/finding"
)

// historyFixture has four ranks: rank 0 sends to rank 1, which passes it on to rank 2, all of them sum up, rank 0
// repeats something, and rank 3 stands in a receive from the beginning.
func historyFixture() *finding.Run {
	call := func(name, args string, line int) finding.PastCall {
		return finding.PastCall{Call: name, Args: args, Frame: frame("main", "chain.c", line)}
	}
	run := recvRecv()
	run.Ranks, run.Command = 4, []string{"mpirun", "-n", "4", "./chain"}
	f := &run.Findings[0]
	f.Sentence, f.Ranks, f.Others, f.Notes = "Rank 3 waits for a message from rank 0 that nobody sends.",
		[]int{3}, nil, nil
	f.Places = []finding.Place{{Rank: 3, State: "blocked", Call: "MPI_Recv",
		Args:  "from rank 0, tag 9, MPI_COMM_WORLD, 1 × MPI_INT",
		Frame: frame("main", "chain.c", 40), WaitsFor: []int{0}, Reason: "a message from rank 0"}}
	run.Findings = append(run.Findings, unsafeSends().Findings...)
	run.History = &finding.History{
		Kept: 256,
		Calls: []finding.PastCall{
			call("MPI_Send", "to rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", 10),
			call("MPI_Recv", "from rank 0, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", 12),
			call("MPI_Send", "to rank 2, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", 14),
			call("MPI_Recv", "from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", 16),
			call("MPI_Allreduce", "MPI_SUM, first three, 1 × MPI_INT", 20),
			call("MPI_Recv", "from rank 0, tag 9, MPI_COMM_WORLD, 1 × MPI_INT", 40),
		},
		Threads: []finding.Track{
			{Rank: 0, Earlier: 1234, Steps: []int{0, 4},
				Repeats: []finding.Repeat{{After: 0, Times: 500, Calls: 1500}}},
			{Rank: 1, Steps: []int{1, 2, 4}},
			{Rank: 2, Steps: []int{3, 4}},
			{Rank: 3, Steps: []int{5}, Open: true},
		},
		Messages:    [][4]int{{0, 0, 1, 0}, {1, 1, 2, 0}},
		Collectives: []finding.Collective{{Waits: "all", Members: [][2]int{{0, 1}, {1, 2}, {2, 1}}}},
	}
	return run
}

// gridFixture has 64 ranks in a grid of 4 × 4 × 4, all but one of which do the same.
func gridFixture() *finding.Run {
	const n, lost = 64, 21
	run := barrierMissing(n)
	f := &run.Findings[0]
	f.Places[lost], f.Places[7] = f.Places[7], f.Places[lost]
	f.Places[lost].Rank, f.Places[7].Rank = lost, 7
	f.Sentence = "Rank 21 waits for a message that nobody sends, and the other 63 ranks wait for rank 21 in " +
		"MPI_Barrier."
	for _, p := range f.Places {
		if p.Rank != lost {
			f.Others = append(f.Others, p)
		}
	}
	f.Places, f.Ranks = []finding.Place{f.Places[lost]}, []int{lost}
	h := &finding.History{Kept: 256, Calls: []finding.PastCall{{Call: "MPI_Barrier", Args: "MPI_COMM_WORLD",
		Frame: frame("step", "halo.c", 212)},
		{Call: "MPI_Recv", Args: "from rank 20, tag 99, cube, 8 × MPI_BYTE", Frame: frame("refine", "refine.c", 17)}}}
	barrier := finding.Collective{Waits: "all"}
	all := finding.Topology{Name: "cube", Dims: []int{4, 4, 4}, Periodic: []bool{true, false, false}}
	for r := range n {
		h.Calls = append(h.Calls, finding.PastCall{Call: "MPI_Send",
			Args: fmt.Sprintf("to rank %d, tag 1, cube, 8 × MPI_BYTE", (r+1)%n), Frame: frame("step", "halo.c", 190)},
			finding.PastCall{Call: "MPI_Recv", Args: fmt.Sprintf("from rank %d, tag 1, cube, 8 × MPI_BYTE", (r+n-1)%n),
				Frame: frame("step", "halo.c", 195)})
		t := finding.Track{Rank: r, Steps: []int{2 + 2*r, 3 + 2*r, 0}, Open: true}
		if r == lost {
			t.Steps[2] = 1
		} else {
			barrier.Members = append(barrier.Members, [2]int{r, 2})
		}
		h.Threads = append(h.Threads, t)
		h.Messages = append(h.Messages, [4]int{(r + n - 1) % n, 0, r, 1})
		all.Ranks = append(all.Ranks, r)
	}
	h.Collectives = []finding.Collective{barrier}
	run.History, run.Topologies = h, []finding.Topology{all}
	return run
}
