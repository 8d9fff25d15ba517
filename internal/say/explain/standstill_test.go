package explain

import (
	"strings"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestRanksOfLostAgentsAreNotSaidToBeAbsent: what they do is not known.
func TestRanksOfLostAgentsAreNotSaidToBeAbsent(t *testing.T) {
	for signal, want := range map[string]string{
		"SIGTERM": "When SIGTERM ended the run, rank 0 waited for rank 1, which was no longer watched.",
		"":        "No rank has completed an MPI call for 60 s: rank 0 waits for rank 1, which is no longer watched.",
	} {
		s := Standstill{Signal: signal, Still: time.Minute, Size: 2, Unwatched: []op.Rank{1}}
		s.Members = []Member{inside(0, "MPI_Recv", 1, 40)}
		if f, _ := s.Finding(); f.Sentence != want {
			t.Errorf("%s, want %s", f.Sentence, want)
		}
	}
}

// outside is a thread of a rank outside of MPI, at a line.
func outside(r op.Rank, line int, stay finding.Stay) Member {
	stay.Outside, stay.After = true, "MPI_Barrier"
	p := finding.Place{Rank: int(r), State: "running", Frame: finding.Frame{Function: "solve", File: "/src/solver.c",
		Line: line}, Stay: &stay}
	return Member{Described: &message.Described{Key: message.Key{Rank: r}, Place: p}, Wait: &waitstate.Wait{}}
}

// inside is one that is in a receive from another rank, or in a call of which nothing is known if that is negative.
func inside(r op.Rank, call string, from op.Rank, seconds float64) Member {
	p := finding.Place{Rank: int(r), State: "blocked", Call: call, Frame: finding.Frame{Function: "main",
		File: "/src/main.c", Line: 7}, Stay: &finding.Stay{Seconds: seconds}}
	m := Member{Described: &message.Described{Key: message.Key{Rank: r}, Place: p}, Wait: &waitstate.Wait{}}
	if from >= 0 {
		n := &waitstate.Need{Kind: waitstate.NeedMessage, Rank: from, Index: -1}
		m.State, m.Needs, m.Peers = message.Blocked, []Need{{Need: n}}, []op.Rank{from}
	}
	return m
}

// locking is one that wants to lock the window of a rank, on which nobody holds a lock.
func locking(r, of op.Rank) Member {
	m := inside(r, "MPI_Win_lock", -1, 60)
	m.State, m.Needs = message.Blocked, []Need{{Need: &waitstate.Need{Kind: waitstate.NeedUnlock, Rank: of, Index: -1}}}
	return m
}

func TestWhoIsWaitedFor(t *testing.T) {
	slow := finding.Stay{Seconds: 60, Process: "running"}
	for _, x := range []struct {
		members []Member
		signal  string
		absent  []op.Rank
		want    string
	}{
		{members: []Member{inside(0, "MPI_Wait", 0, 60)},
			want: "No rank has completed an MPI call for 60 s: rank 0 has been in MPI_Wait at main (main.c:7) for 60 s."},
		{[]Member{outside(0, 88, slow), inside(1, "MPI_Recv", 0, 59), inside(2, "MPI_Recv", 0, 61)}, "", nil,
			"No rank has completed an MPI call for 60 s: ranks 1 and 2 wait for rank 0, which has been at solve " +
				"(solver.c:88) outside MPI for 60 s."},
		{[]Member{outside(0, 88, slow), inside(1, "MPI_Recv", 0, 59)}, "SIGTERM", nil,
			"When SIGTERM ended the run, rank 1 waited for rank 0, which had been at solve (solver.c:88) outside " +
				"MPI for 60 s."},
		{[]Member{outside(0, 9, finding.Stay{Seconds: 200, Process: "asleep", SystemCall: "read", On: "pipe:[17]",
			In: "fgets"}), inside(1, "MPI_Recv", 0, 2)}, "", nil,
			"No rank has completed an MPI call for 60 s: rank 1 waits for rank 0, which has been at solve " +
				"(solver.c:9) outside MPI for 3 min (waits in fgets for a pipe)."},
		// it has ended meanwhile
		{[]Member{outside(0, 9, finding.Stay{Seconds: 4, Others: 1}), inside(1, "MPI_Recv", 0, 2)}, "SIGINT", nil,
			"When SIGINT ended the run, rank 1 waited for rank 0, which had been at solve (solver.c:9) outside " +
				"MPI for 4 s."},
		{[]Member{inside(0, "MPI_Comm_disconnect", -1, 40)}, "", nil,
			"No rank has completed an MPI call for 60 s: rank 0 has been in MPI_Comm_disconnect at main " +
				"(main.c:7) for 40 s."},
		{[]Member{outside(0, 88, slow), locking(1, 0)}, "", nil,
			"No rank has completed an MPI call for 60 s: rank 1 waits for rank 0, which has been at solve " +
				"(solver.c:88) outside MPI for 60 s."},
		{[]Member{inside(0, "MPI_Recv", 1, 40)}, "", []op.Rank{1},
			"No rank has completed an MPI call for 60 s: rank 0 waits for rank 1, which has not initialised MPI."},
		{[]Member{outside(0, 1, slow), outside(1, 1, slow)}, "SIGINT", nil,
			"When SIGINT ended the run, ranks 0 and 1 had been at solve (solver.c:1) outside MPI for 60 s."},
	} {
		s := Standstill{Signal: x.signal, Still: time.Minute, Size: len(x.members) + len(x.absent), Absent: x.absent}
		s.Members = x.members
		f, tells := s.Finding()
		if !tells || f.Sentence != x.want || f.Severity != finding.Info {
			t.Errorf("%v, %s: %s, want %s", tells, f.Severity, f.Sentence, x.want)
		}
		if strings.ContainsAny(f.Form, "0123456789") && !strings.Contains(f.Form, ".c:") {
			t.Errorf("the form has numbers: %s", f.Form)
		}
	}
}

// Long computations are no standstill, unless somebody waits for their end.
func TestRanksThatAllComputeAreNothingToTellOf(t *testing.T) {
	for _, x := range []struct {
		what  string
		of    Member
		tells bool
	}{
		{"it runs", outside(0, 1, finding.Stay{Process: "running"}), false},
		{"its threads run", outside(0, 1, finding.Stay{Process: "asleep", SystemCall: "futex", Others: 3}), false},
		{"it sleeps", outside(0, 1, finding.Stay{Process: "asleep", SystemCall: "read"}), true},
		{"it is stopped", outside(0, 1, finding.Stay{Process: "stopped"}), true},
		{"it is in a call", inside(0, "MPI_Barrier", -1, 1), true},
	} {
		s := Standstill{Still: time.Minute, Size: 2}
		s.Members = []Member{x.of, outside(1, 1, finding.Stay{Process: "running"})}
		if _, tells := s.Finding(); tells != x.tells {
			t.Errorf("%s: told %v", x.what, tells)
		}
	}
}
