package detect

import (
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A launcher that kills the ranks that are still in MPI_Finalize, because one has returned from main with a status
// other than 0, is not a rank's death; a rank that was killed before that is.
func TestAKillAfterAFailedEndIsTheLaunchers(t *testing.T) {
	for _, c := range []struct {
		name        string
		killed, end uint64
		findings    int
	}{{"killed after it", 100, 50, 0}, {"killed before it", 50, 100, 1}, {"nobody failed", 100, 0, 1}} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 4, Options{}, nil)
		r.message(message.Death{Rank: 2, Manner: message.Manner{Kind: ring.DeathNone}, Nanos: c.killed,
			Place: finding.Place{Rank: 2, WaitsFor: []int{}}})
		if c.end > 0 {
			r.message(message.Death{Rank: op.Rank(0), Final: true, Nanos: c.end})
		}
		r.deaths.judge(4, true)
		if len(r.findings.byID) != c.findings {
			t.Errorf("%s: %d findings, want %d", c.name, len(r.findings.byID), c.findings)
		}
	}
}

// When unknot itself is killed, the launcher goes with it, and ends the ranks. Whether they are seen dead before the
// last verdict is a matter of time, so it does not count.
func TestThatTheLauncherEndsRanksWithoutUnknotDoesNotCount(t *testing.T) {
	for orphan, want := range map[bool]string{
		false: "the launcher ended all ranks by SIGTERM, as launchers do when they are ended themselves", true: ""} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
		for rank := range op.Rank(2) {
			r.message(message.Death{Rank: rank, Manner: message.Manner{Kind: ring.DeathSignal, Code: 15,
				Secondary: true},
				Place: finding.Place{Rank: int(rank), WaitsFor: []int{}}})
		}
		r.ended(&Ended{Orphan: orphan})
		r.deaths.judge(2, true)
		if r.deaths.outside != want || len(r.findings.byID) != 0 {
			t.Errorf("orphan %t: %q and %d findings, want %q and none", orphan, r.deaths.outside,
				len(r.findings.byID), want)
		}
	}
}

// Where the ranks were that the launcher has ended is said once: not again if unknot was asked for it before it ended
// them.
func TestWhereTheRanksWereWhenTheLauncherEndedThemIsSaid(t *testing.T) {
	for _, asked := range []bool{false, true} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 3, Options{}, nil)
		if asked {
			r.findings.tell(finding.Finding{Code: finding.Interrupted, Severity: finding.Info,
				Standing: finding.Manifest})
		}
		for rank := range op.Rank(3) {
			p := finding.Place{Rank: int(rank), Call: "MPI_Recv", State: "blocked", WaitsFor: []int{},
				Frame: finding.Frame{Function: "main", File: "a.c", Line: 7}, Stay: &finding.Stay{Seconds: 5}}
			if rank == 0 {
				p = finding.Place{Rank: 0, State: "running", WaitsFor: []int{}, Frame: finding.Frame{Function: "solve",
					File: "a.c", Line: 3}, Stay: &finding.Stay{Seconds: 5, Outside: true, After: "MPI_Send"}}
			}
			r.message(message.Death{Rank: rank, Manner: message.Manner{Kind: ring.DeathSignal, Code: 15,
				Secondary: true},
				Place: finding.Place{Rank: int(rank), WaitsFor: []int{}},
				Stood: &message.Described{Key: message.Key{Rank: rank}, Place: p}})
		}
		r.deaths.judge(3, true)
		if len(r.findings.order) != 1 || r.findings.order[0].Code != finding.Interrupted {
			t.Fatalf("asked before: %t; %d findings, want one that says where they were", asked, len(r.findings.order))
		}
		want := "When SIGTERM ended the run, rank 0 had been at solve (a.c:3) outside MPI for 5 s; ranks 1 and 2 had " +
			"been in MPI_Recv at main (a.c:7) for 5 s."
		if got := r.findings.order[0].Sentence; !asked && got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}

// A launcher that is ended by SIGTERM passes that on and may kill a rank before that gets to handle it. A rank that was
// killed first is why the launcher ends the others.
func TestARankThatTheLauncherKillsAfterSIGTERMIsNoDeath(t *testing.T) {
	for _, c := range []struct {
		name     string
		killed   uint64 // when
		exit     int    // of the launcher
		findings int
	}{{"killed after the others were asked to end", 200, 1, 0}, {"killed before", 50, 1, 1},
		{"the launcher says that a rank was killed", 200, 137, 1}, {"Hydra does", 200, 9, 1}} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 3, Options{}, nil)
		r.message(message.Death{Rank: 0, Manner: message.Manner{Kind: ring.DeathSignal, Code: 15, Secondary: true},
			Nanos: 100,
			Place: finding.Place{WaitsFor: []int{}}})
		r.message(message.Death{Rank: 1, Manner: message.Manner{Kind: ring.DeathSignal, Code: 15, Secondary: true},
			Nanos: 110,
			Place: finding.Place{Rank: 1, WaitsFor: []int{}}})
		r.message(message.Death{Rank: 2, Manner: message.Manner{Kind: ring.DeathNone}, Nanos: c.killed,
			Place: finding.Place{Rank: 2, WaitsFor: []int{}}})
		r.ended(&Ended{Exit: c.exit})
		r.deaths.judge(3, true)
		if len(r.findings.order) != c.findings || (c.findings == 0) != (r.deaths.outside != "") {
			t.Errorf("%s: %d findings and %q, want %d", c.name, len(r.findings.order), r.deaths.outside, c.findings)
		}
	}
}

// TestWhoseLibraryGivesUpDiedFirst: a library that gives up in a call has the launcher end the job before it exits, so
// a rank that waited may be gone before. Of two that could not tell how they ended, the one that waited for the other
// is rather the second.
func TestWhoseLibraryGivesUpDiedFirst(t *testing.T) {
	gaveUp := message.Death{Rank: 1, Manner: message.Manner{Kind: ring.DeathExit, Code: 15, Own: true}, Within: true,
		Nanos: 101e6}
	killed := message.Death{Rank: 0, Within: true, Inside: true, Nanos: 100e6}
	waits := killed
	waits.Scope.Peers = []op.Rank{1}
	unseen := message.Death{Rank: 1, Within: true, Inside: true, Nanos: 101e6}
	exits, finalizes, later := gaveUp, gaveUp, gaveUp
	exits.Within = false
	finalizes.Ending = true
	later.Nanos = 200e6
	for _, c := range []struct {
		name  string
		other message.Death
		end   message.Death
		want  int
	}{
		{"its library gave up in a call", killed, gaveUp, 1},
		{"it did so later", killed, later, 0},
		{"it ended outside of a call", killed, exits, 0},
		{"it gave up in MPI_Finalize", killed, finalizes, 0},
		{"both were killed, one waited for the other", waits, unseen, 1},
		{"both were killed", killed, unseen, 0},
	} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
		for _, d := range []message.Death{c.other, c.end} {
			d.Place.Rank = int(d.Rank)
			r.message(d)
		}
		r.deaths.judge(2, true)
		if len(r.findings.order) != 1 || r.findings.order[0].Ranks[0] != c.want {
			t.Errorf("%s: %d findings, the first about %v, want one about rank %d", c.name, len(r.findings.order),
				r.findings.order[0].Ranks, c.want)
		}
	}
}

// A rank whose library gives up in MPI_Finalize because another's aborts the job may be gone before that one is: what
// the other rank's death follows from explains both. One that ends by itself before another is what its own report
// says.
func TestAFinalizeThatFailsBehindAnErrorIsNotADeathOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		name           string
		within, ending bool
		findings       int
	}{{"in MPI_Finalize", true, true, 1}, {"after a call", false, false, 2},
		{"in a call that does not wait", true, false, 2}} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
		r.findings.tell(finding.Finding{Code: "rank-invalid", Severity: finding.Error, Standing: finding.Manifest,
			Ranks:  []int{1},
			Places: []finding.Place{{Rank: 1, Call: "MPI_Sendrecv", Moment: 7}}})
		r.message(message.Death{Rank: 0, Manner: message.Manner{Kind: ring.DeathExit, Code: 15, Own: true},
			Within: c.within,
			Ending: c.ending, Nanos: 50})
		r.message(message.Death{Rank: 1, Manner: message.Manner{Kind: ring.DeathExit, Code: 6, Own: true}, Within: true,
			Moment: 7, Nanos: 100})
		r.deaths.judge(2, true)
		if len(r.findings.order) != c.findings {
			t.Errorf("%s: %d findings, want %d", c.name, len(r.findings.order), c.findings)
		}
		if got, want := r.findings.order[0].death, "rank 1 died in this call"; c.findings == 1 &&
			!strings.HasPrefix(got, want) {
			t.Errorf("%s: the error says %q, want %q at its beginning", c.name, got, want)
		}
	}
}
