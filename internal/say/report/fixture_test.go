package report

import (
	"fmt"

	"unknot/internal/vocab/finding"
)

// fixtures are the runs that the golden files in testdata show, by name.
func fixtures() map[string]*finding.Run {
	return map[string]*finding.Run{
		"recv-recv":  recvRecv(),
		"barrier":    barrierMissing(4096),
		"wildcard":   wildcardKnot(64),
		"ring":       ringOf(4, 300),
		"big-ring":   ringOf(4096, 4096),
		"unsafe":     unsafeSends(),
		"died":       rankDied(),
		"mismatch":   collectiveMismatch(),
		"nothing":    runOf(4),
		"noted":      noted(),
		"hostile":    hostile(),
		"many-files": manySites(40),
		"mixed":      mixed(),
		"story":      orphan(),
		"threads":    threadsFixture(),
		"race":       raceFixture(),
		"history":    historyFixture(),
		"grid":       gridFixture(),
		"ten":        manyFindings(10), "five-hundred": manyFindings(500),
	}
}

func runOf(ranks int, f ...finding.Finding) *finding.Run {
	return &finding.Run{
		Schema: finding.Schema, Unknot: "0.1.0", Command: []string{"mpirun", "-n", fmt.Sprint(ranks), "./app",
			"--input", "two words.nc"},
		MPI: "Open MPI 4.1.4", Ranks: ranks, Exit: 143, Complete: true, Hosts: []string{"node01", "node02"},
		Start: "2026-03-01T10:00:00Z", Seconds: 2.41, Calls: uint64(ranks) * 1234, Findings: f,
	}
}

// named gives a place its words, each a phrase or a text that names no rank.
func named(p finding.Place, args, reason finding.Phrase) finding.Place {
	p.SetArgs(args)
	p.SetReason(reason)
	return p
}

func frame(function, file string, line int) finding.Frame {
	return finding.Frame{Function: function, File: "/home/ada/app/" + file, Line: line}
}

func event(call, args string, at finding.Frame, state string) finding.Event {
	return finding.Event{Call: call, Args: args, Frame: at, State: state}
}

func recvRecv() *finding.Run {
	var places, others []finding.Place
	for r := range 2 {
		at := frame("main", "recv_recv.c", 14)
		args := fmt.Sprintf("from rank %d, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", 1-r)
		places = append(places, finding.Place{
			Rank: r, State: "blocked", Call: "MPI_Recv", Args: args, Frame: at, WaitsFor: []int{1 - r},
			Reason: fmt.Sprintf("a message from rank %d", 1-r), Host: "node01", PID: 4711 + r,
			Stack: []finding.Frame{at},
			Last: []finding.Event{
				event("MPI_Init", "", frame("main", "recv_recv.c", 9), "done"),
				event("MPI_Comm_split", "MPI_COMM_WORLD, colour 0", frame("main", "recv_recv.c", 11), "done"),
				event("MPI_Recv", args, at, "blocked"),
			},
		})
	}
	for r := 2; r < 16; r++ {
		at := frame("finish", "solver.c", 40)
		others = append(others, finding.Place{
			Rank: r, State: "blocked", Call: "MPI_Barrier", Args: "MPI_COMM_WORLD", Frame: at, WaitsFor: []int{0, 1},
			Reason: "ranks 0 and 1 to call MPI_Barrier", Stack: []finding.Frame{at, frame("main", "solver.c", 88)},
			Last: []finding.Event{event("MPI_Init", "", frame("main", "recv_recv.c", 9), "done"),
				event("MPI_Barrier", "MPI_COMM_WORLD", at, "blocked")},
		})
	}
	return runOf(16, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 12,
		Sentence: "Ranks 0 and 1 wait for each other: each receives before it sends.",
		Hint:     "Use MPI_Sendrecv, or let one of the two ranks send first.",
		Ranks:    []int{0, 1}, Places: places, Others: others,
		Notes: []finding.Note{
			{Label: finding.NearestMiss, Text: "rank 2 has sent a message to rank 0 on MPI_COMM_WORLD with tag 7, " +
				"but the receive at recv_recv.c:14 asks for tag 0."}},
	})
}

// barrierMissing has one rank of n in a receive while all others wait for it in a barrier.
func barrierMissing(n int) *finding.Run {
	const lost = 7
	var places []finding.Place
	for r := range n {
		p := finding.Place{
			Rank: r, State: "blocked", Call: "MPI_Barrier", Args: "MPI_COMM_WORLD", Frame: frame("step", "halo.c", 212),
			WaitsFor: []int{lost}, Reason: "rank 7 to call MPI_Barrier", Host: fmt.Sprintf("node%02d", r/64),
			Stack: []finding.Frame{frame("step", "halo.c", 212), frame("run", "main.c", 51),
				frame("main", "main.c", 99)},
			Last: []finding.Event{event("MPI_Waitall", "4 requests", frame("step", "halo.c", 200), "done"),
				event("MPI_Barrier", "MPI_COMM_WORLD", frame("step", "halo.c", 212), "blocked")},
		}
		if r == lost {
			p.Call, p.Args, p.Frame = "MPI_Recv", "from rank 6, tag 99, MPI_COMM_WORLD, 1,000 × MPI_DOUBLE",
				frame("refine", "refine.c", 17)
			p.WaitsFor, p.Reason = []int{6}, "a message from rank 6"
			p.Stack = []finding.Frame{p.Frame, frame("step", "halo.c", 180), frame("run", "main.c", 51),
				frame("main", "main.c", 99)}
			p.Last = []finding.Event{p.Last[0], event(p.Call, p.Args, p.Frame, "blocked")}
		}
		places = append(places, p)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i
	}
	return runOf(n, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: fmt.Sprintf("Rank 7 waits for a message that nobody sends, and the other %s ranks wait for rank 7 "+
			"in MPI_Barrier.", number(n-1)),
		Hint: "Make every rank of MPI_COMM_WORLD reach the barrier: look for the branch that leads rank 7 to " +
			"refine.c:17.",
		Ranks: ranks, Places: places,
	})
}

// wildcardKnot has n ranks that all receive from anybody.
func wildcardKnot(n int) *finding.Run {
	var places []finding.Place
	ranks := make([]int, n)
	for r := range n {
		ranks[r] = r
		var waits []int
		for o := range n {
			if o != r {
				waits = append(waits, o)
			}
		}
		at := frame("gather", "pool.c", 31)
		places = append(places, finding.Place{
			Rank: r, State: "blocked", Call: "MPI_Recv", Args: "from any source, any tag, MPI_COMM_WORLD, 1 × MPI_INT",
			Frame: at, WaitsFor: waits, Any: true, Reason: "a message from any rank", Stack: []finding.Frame{at},
			Last: []finding.Event{event("MPI_Recv", "from any source, any tag, MPI_COMM_WORLD, 1 × MPI_INT",
				at, "blocked")},
		})
	}
	return runOf(n, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: fmt.Sprintf("All %d ranks wait for a message from anybody, and no rank is left to send one.", n),
		Ranks:    ranks, Places: places,
	})
}

// ringOf has n ranks in a job of world that each receive from the next one.
func ringOf(n, world int) *finding.Run {
	var places []finding.Place
	ranks := make([]int, n)
	for r := range n {
		ranks[r] = r
		next := (r + 1) % n
		at := frame("shift", "ring.c", 22)
		args := finding.Naming("from ", next, ", tag 3, ring (split of MPI_COMM_WORLD at ring.c:8), 512 × MPI_DOUBLE")
		places = append(places, named(finding.Place{
			Rank: r, State: "blocked", Call: "MPI_Recv", Frame: at, WaitsFor: []int{next},
			Stack: []finding.Frame{at, frame("main", "ring.c", 50)},
			Last: []finding.Event{
				event("MPI_Comm_split", "MPI_COMM_WORLD, colour 0", frame("main", "ring.c", 8), "done"),
				event("MPI_Recv", args.Text, at, "blocked"),
			},
		}, args, finding.Naming("a message from ", next, "")))
	}
	return runOf(world, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: fmt.Sprintf("Ranks 0-%d wait in a ring: each receives from the next before it sends.", n-1),
		Hint:     "Use MPI_Sendrecv, or let the even ranks send first.", Ranks: ranks, Places: places,
	})
}

func unsafeSends() *finding.Run {
	var places []finding.Place
	for r := range 2 {
		at := frame("exchange", "send_send.c", 18)
		args := fmt.Sprintf("to rank %d, tag 0, MPI_COMM_WORLD, 100 × MPI_DOUBLE", 1-r)
		places = append(places, finding.Place{Rank: r, State: "returned", Call: "MPI_Send", Args: args, Frame: at,
			WaitsFor: []int{1 - r}, Reason: fmt.Sprintf("rank %d to receive the message", 1-r)})
	}
	run := runOf(2, finding.Finding{
		Code: finding.DeadlockUnsafe, Severity: finding.Warning, Standing: finding.Predicted, Count: 3,
		Sentence: "Ranks 0 and 1 send to each other before they receive; the run went on only because MPI " +
			"buffered 800 bytes.",
		Hint: "Post the receive with MPI_Irecv before MPI_Send.", Ranks: []int{0, 1}, Places: places,
		Notes: finding.Remarks("messages of more than 4,096 bytes would probably hang with this MPI."),
	}, finding.Finding{
		Code: finding.NotModelled, Severity: finding.Info, Standing: finding.Manifest, Count: 1, Ranks: []int{0},
		Sentence: "The program called MPI_Comm_spawn, which unknot does not model.",
		Notes:    finding.Remarks("MPI_Comm_spawn was called 2 times."),
	})
	run.Exit = 0
	return run
}

func rankDied() *finding.Run {
	run := runOf(3, finding.Finding{
		Code: finding.RankDied, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: "Rank 1 was killed by SIGSEGV after MPI_Barrier, and ranks 0 and 2 wait for it.", Ranks: []int{1},
		Places: []finding.Place{{Rank: 1, State: "died", Call: "MPI_Barrier", Args: "MPI_COMM_WORLD",
			Frame: finding.Frame{Function: "solve", Module: "/opt/app/libsolver.so.2", Offset: 0x1c4},
			Host:  "node02", PID: 99}},
		Others: []finding.Place{
			{Rank: 0, State: "blocked", Call: "MPI_Recv", Args: "from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT",
				Frame: frame("main", "a.c", 12), WaitsFor: []int{1}, Reason: "a message from rank 1"},
			{Rank: 2, Thread: 1, State: "polling", Call: "MPI_Iprobe", Args: "from rank 1, tag 4, MPI_COMM_WORLD",
				Frame: frame("main", "a.c", 20), WaitsFor: []int{1}, Reason: "a message from rank 1"},
		},
	})
	run.Complete, run.Why = false, "rank 1 died; what it did after its last MPI call is not known"
	run.Exit = 139
	return run
}

func collectiveMismatch() *finding.Run {
	places := []finding.Place{{Rank: 0, State: "returned", Call: "MPI_Bcast",
		Args: "root 0, MPI_COMM_WORLD, 1 × MPI_INT", Frame: frame("main", "mix.c", 11)}}
	for r := 1; r < 4; r++ {
		places = append(places, finding.Place{Rank: r, State: "blocked", Call: "MPI_Reduce",
			Args:  "root 0, MPI_SUM, MPI_COMM_WORLD, 1 × MPI_INT",
			Frame: frame("main", "mix.c", 13), WaitsFor: []int{0}, Reason: "rank 0 to call MPI_Reduce"})
	}
	return runOf(4, finding.Finding{
		Code: finding.CollectiveMismatch, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Ranks:    []int{0, 1, 2, 3},
		Sentence: "The 5th collective on MPI_COMM_WORLD is MPI_Bcast on rank 0 and MPI_Reduce on ranks 1-3.",
		Places:   places,
	})
}

// noted has nothing to report but a remark on the run.
func noted() *finding.Run {
	run := runOf(4)
	run.Notes = []string{"3 ranks were still running after the launcher had exited, and were ended too"}
	return run
}

// orphan is a deadlock that needs another match than the observed one.
func orphan() *finding.Run {
	at := frame("main", "orphan.c", 21)
	send := frame("main", "orphan.c", 16)
	return runOf(5, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Confirmed, Count: 1, Ranks: []int{4},
		Sentence: "Rank 4 waits for a message from rank 3 that nobody will send.",
		Places: []finding.Place{{Rank: 4, State: "blocked", Call: "MPI_Recv",
			Args:  "from rank 3, tag 0, MPI_COMM_WORLD, 1 × MPI_INT",
			Frame: at, WaitsFor: []int{3}, Reason: "a message from rank 3"}},
		Story: &finding.Story{
			Steps: []finding.Step{
				{Sentence: "Rank 4's 1st receive from any source matches the message from rank 3 (of rank 0 in the " +
					"observed run).", Rank: 4, At: at},
				{Sentence: "MPI does not buffer rank 2's message to rank 4.", Rank: 2, At: send},
			},
			Lines: []finding.Line{{Rank: 0, End: "MPI_Send to rank 4", Stuck: true},
				{Rank: 2, End: "MPI_Send to rank 4", Stuck: true},
				{Rank: 3, End: "finished"}, {Rank: 4, End: "MPI_Recv from rank 3", Stuck: true}},
			Messages: []finding.Message{{From: 3, To: 4, Sent: 0, Matched: 0, Label: "tag 0", Decisive: true},
				{From: 4, To: 3, Sent: 1, Matched: 3, Label: "tag 7"},
				{From: 0, To: 4, Sent: 2, Matched: -1, Label: "tag 0"},
				{From: 2, To: 4, Sent: 4, Matched: -1, Label: "tag 0"}},
			Left: 1234,
			Forced: finding.Forced{Receives: []finding.ForcedReceive{{Rank: 4, Nth: 0, Source: 3}},
				Sends: []finding.ForcedSend{{Rank: 2, Nth: 0}}},
		},
	})
}

// hostile has in every string what could break out of a format.
func hostile() *finding.Run {
	const evil = "</script></style><script>alert(1)</script>\"'&\x1b[31m\u202e\xff\n{{.}}"
	at := finding.Frame{Function: evil, File: "/tmp/" + evil + ".c", Line: 3}
	run := runOf(2, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Sentence: evil, Hint: evil,
		Notes: finding.Remarks(evil), Ranks: []int{0},
		Places: []finding.Place{{Rank: 0, State: "blocked", Call: evil, Args: evil, Frame: at, WaitsFor: []int{1},
			Reason: evil,
			Stack:  []finding.Frame{at, at}, Last: []finding.Event{event(evil, evil, at, "blocked")}, Host: evil}},
		Story: &finding.Story{Steps: []finding.Step{{Sentence: evil, At: at}},
			Lines:    []finding.Line{{Rank: 0, End: evil}, {Rank: 1, End: evil}},
			Messages: []finding.Message{{From: 0, To: 1, Label: evil}}},
		Others: []finding.Place{{Rank: 1, State: "blocked", Call: evil, Frame: finding.Frame{Module: evil, Offset: 9},
			WaitsFor: []int{0}}},
	})
	run.Command, run.MPI, run.Hosts, run.Why, run.Complete, run.Unknot, run.Start = []string{evil, "it's"}, evil,
		[]string{evil}, evil, false, evil, evil
	run.Notes = []string{evil}
	run.Topologies = []finding.Topology{{Name: evil, Dims: []int{2}, Periodic: []bool{true}, Ranks: []int{1, 0}}}
	run.History = &finding.History{Kept: 256, Calls: []finding.PastCall{{Call: evil, Args: evil, Frame: at}},
		Threads:  []finding.Track{{Rank: 0, Steps: []int{0, 0}, Open: true}, {Rank: 1, Steps: []int{0}}},
		Messages: [][4]int{{0, 0, 1, 0}}}
	return run
}

// manySites has n ranks, each at a different line, that wait for pairs of others.
func manySites(n int) *finding.Run {
	var places []finding.Place
	ranks := make([]int, n)
	for r := range n {
		ranks[r] = r
		a, b := min((r*7+3)%n, (r*3+1)%n), max((r*7+3)%n, (r*3+1)%n)
		at := frame(fmt.Sprintf("worker_%d", r), fmt.Sprintf("mod%d/work.c", r%2), 10+r)
		places = append(places, finding.Place{Rank: r, State: "blocked", Call: "MPI_Waitany",
			Args:  fmt.Sprintf("%d requests", r+2),
			Frame: at, WaitsFor: []int{a, b}, Any: true,
			Reason: fmt.Sprintf("a message from rank %d or rank %d", a, b)})
	}
	return runOf(n, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1, Ranks: ranks,
		Places:   places,
		Sentence: fmt.Sprintf("Ranks 0-%d wait for each other.", n-1),
	})
}

// mixed has a knot of four ranks with different calls, ranks behind it in two steps, and one that waits for a rank
// outside.
func mixed() *finding.Run {
	place := func(rank int, call, args, function string, line int, reason string, oneIsEnough bool,
		waits ...int) finding.Place {
		return finding.Place{Rank: rank, State: "blocked", Call: call, Args: args,
			Frame: frame(function, "mixed.c", line), WaitsFor: waits, Any: oneIsEnough, Reason: reason}
	}
	core := []finding.Place{
		place(0, "MPI_Recv", "from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", "left", 10,
			"a message from rank 1", false, 1),
		place(1, "MPI_Ssend", "to rank 2, tag 0, MPI_COMM_WORLD, 1 × MPI_INT", "right", 20,
			"rank 2 to receive the message", false, 2),
		place(2, "MPI_Waitany", "2 requests", "pool", 30, "a message from rank 3 or rank 0", true, 0, 3),
		place(3, "MPI_Recv", "from any source, tag 5, rows (split of MPI_COMM_WORLD at mixed.c:5), 8 × MPI_BYTE",
			"pool", 40, "a message from any rank of rows", true, 0, 2),
	}
	var others []finding.Place
	for r := 4; r < 10; r++ {
		others = append(others, place(r, "MPI_Barrier", "MPI_COMM_WORLD", "finish", 50, "ranks 0-3 to call MPI_Barrier",
			false, 0, 1, 2, 3))
	}
	others = append(others,
		place(10, "MPI_Recv", "from rank 4, tag 1, MPI_COMM_WORLD, 1 × MPI_INT", "tail", 60,
			"a message from rank 4", false, 4),
		place(11, "MPI_Waitall", "2 requests", "tail", 70, "messages from ranks 3 and 12", false, 3, 12))
	return runOf(13, finding.Finding{
		Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1, Ranks: []int{0, 1, 2, 3},
		Sentence: "Ranks 0-3 wait for each other, and eight more ranks wait for them.", Places: core, Others: others,
	})
}

// threadsFixture is a UPC program with a circle of locks, beside which one thread waits, one works and one has ended;
// an argument that differs; and one that is wrong.
func threadsFixture() *finding.Run {
	both, written := frame("both", "locks.upc", 9), finding.Meaning{Written: true}
	waits := func(rank, other int) finding.Place {
		return finding.Place{Rank: rank, State: "blocked", Call: "upc_lock", Args: "(y)", Frame: both,
			WaitsFor: []int{other},
			Reason:   fmt.Sprintf("the lock `y` of thread %d, taken at locks.upc:7", other),
			Meaning:  finding.Meaning{Written: true, Lock: true}}
	}
	first := waits(0, 1)
	first.Stack = []finding.Frame{both, frame("main", "locks.upc", 21)}
	locks := finding.Finding{
		Code: finding.UPCDeadlock, Severity: finding.Error, Standing: finding.Manifest, Language: finding.UPC,
		Check: "LOCK-05", Count: 1,
		Sentence: "Deadlock of locks: thread 0 waits for the lock `y` (locks.upc:9), which thread 1 holds (since " +
			"locks.upc:7), and thread 1 waits for the " +
			"lock `y` (locks.upc:9), which thread 0 holds (since locks.upc:7).",
		Hint: "let all threads take the locks in the same order", Ranks: []int{0, 1},
		Places: []finding.Place{first, waits(1, 0)},
		Others: []finding.Place{
			{Rank: 2, State: "blocked", Call: "upc_barrier", Frame: frame("main", "locks.upc", 25),
				WaitsFor: []int{0, 1, 4}},
			{Rank: 3, State: "running", Call: "upc_memget", Args: "(p, s, n)", Frame: frame("work", "locks.upc", 40),
				WaitsFor: []int{}, Meaning: written},
			{Rank: 4, State: "finished", Call: "return from main", Frame: frame("main", "locks.upc", 30),
				WaitsFor: []int{}},
		},
		Notes: []finding.Note{finding.Remark("y declared at locks.upc:5"),
			{Label: finding.NotChecked, Text: "old.upc (compiled without upc-check)"}},
	}
	sizes := finding.Finding{
		Code: finding.UPCSingleValued, Severity: finding.Error, Standing: finding.Manifest, Language: finding.UPC,
		Check: "MOVE-03", Count: 1,
		Sentence: "The argument nbytes of upc_all_broadcast must be the same on all threads, but is 4 on threads 0, " +
			"2-4 and 8 on thread 1.",
		Hint: "compute the argument from values that all threads have", Ranks: []int{0, 1, 2, 3, 4},
		Notes: finding.Remarks("n declared at sizes.upc:3"),
	}
	for t := range 5 {
		value := map[bool]string{false: "4", true: "8"}[t == 1]
		sizes.Places = append(sizes.Places, finding.Place{Rank: t, State: "blocked", Call: "upc_all_broadcast",
			Args:  "(d, s, n, flags)",
			Frame: frame("main", "sizes.upc", 12), WaitsFor: []int{}, Meaning: written,
			Argument: &finding.Argument{Name: "nbytes", Text: "n", Value: value,
				Declared: "n declared at sizes.upc:3"}})
	}
	zero := finding.Finding{
		Code: finding.UPCArgument, Severity: finding.Error, Standing: finding.Manifest, Language: finding.UPC,
		Check: "BCAS-01", Count: 3,
		Sentence: "Thread 3 is at upc_all_broadcast: nbytes (`n * 0`) is 0, and must be positive.", Ranks: []int{3},
		Places: []finding.Place{{Rank: 3, State: "running", Call: "upc_all_broadcast", Args: "(d, s, n * 0, flags)",
			Frame:    frame("main", "sizes.upc", 14),
			WaitsFor: []int{}, Meaning: written, Argument: &finding.Argument{Text: "n * 0",
				Declared: "n declared at sizes.upc:3"}}},
	}
	run := runOf(5, locks, sizes, zero)
	run.Language, run.Exit, run.Calls = finding.UPC, 66, 0
	return run
}

func raceFixture() *finding.Run {
	writes, reads := frame("relax", "heat.upc", 31), frame("main", "heat.upc", 40)
	barrier := frame("main", "heat.upc", 22)
	race := finding.Finding{
		Code: finding.UPCRace, Severity: finding.Error, Standing: finding.Manifest, Language: finding.UPC, Count: 7,
		Sentence: "Data race on `grid[8]`, which thread 2 owns: thread 1 writes it at `grid[i + 1]` (heat.upc:31:9) " +
			"and thread 2 reads it at " +
			"`grid[MYTHREAD * B]` (heat.upc:40:14), and nothing orders the two accesses.",
		Hint: "put a upc_barrier between the two accesses, or guard both with the same lock", Ranks: []int{1, 2},
		Places: []finding.Place{
			named(finding.Place{Rank: 1, State: "called", Call: "write", Frame: writes, WaitsFor: []int{}},
				finding.Plain("of grid[i + 1]"), finding.Phrase{}),
			named(finding.Place{Rank: 2, State: "called", Call: "read", Frame: reads, WaitsFor: []int{}},
				finding.Plain("of grid[MYTHREAD * B]"), finding.Phrase{}),
		},
		Notes: []finding.Note{finding.Remark("grid is declared at heat.upc:6"),
			{Label: finding.Epoch, Text: "both accesses are after barrier 2 (upc_barrier, heat.upc:22)"}},
		Timeline: []finding.Moment{
			{Ranks: []int{1, 2}, Did: "upc_barrier, barrier 2", Frame: barrier},
			{Ranks: []int{1}, Did: "upc_lock(guard)", Frame: frame("relax", "heat.upc", 30)},
			{Ranks: []int{1}, Did: "writes grid[i + 1]", Frame: writes, Racing: true},
			{Ranks: []int{1}, Did: "upc_unlock(guard)", Frame: frame("relax", "heat.upc", 32)},
			{Ranks: []int{2}, Did: "reads grid[MYTHREAD * B]", Frame: reads, Racing: true},
		},
		Meeting: &finding.Meeting{Sites: [2]uint32{4, 9}, Owner: 2, Start: 64, End: 72},
	}
	run := runOf(4, race)
	run.Language = finding.UPC
	return run
}
