package detect

import (
	"fmt"
	"syscall"
	"testing"

	"unknot/internal/check/leaks"
	"unknot/internal/check/lifecycle"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

func misuseOf(rank int, severity finding.Severity, sentence string, args ...any) finding.Finding {
	f := finding.Finding{Code: "x", Severity: severity, Standing: finding.Manifest, Ranks: []int{rank},
		Places: []finding.Place{{Rank: rank, Call: "MPI_Send", Frame: finding.Frame{File: "a.c", Line: 1}}}}
	f.Say(finding.Wordf(sentence, args...))
	return f
}

// What ranks do alike at one line is one finding, for which the lowest rank speaks; severities are never mixed; and a
// mistake in ever new words does not become ever new findings.
func TestOneCauseIsOneFinding(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, nil)
	r.findings.tell(misuseOf(3, finding.Error, "Rank %d sends %s.", 3, finding.Counted(5, "byte", "bytes")))
	r.findings.tell(misuseOf(1, finding.Error, "Rank %d sends %s.", 1, finding.Counted(1, "byte", "bytes")))
	r.findings.tell(misuseOf(2, finding.Info, "Rank %d sends %s.", 2, finding.Counted(7, "byte", "bytes")))
	if first := r.findings.order[0]; len(r.findings.order) != 2 || first.Sentence != "Rank 1 sends 1 byte." ||
		fmt.Sprint(first.Ranks) != "[1 3]" || first.Count != 2 {
		t.Errorf("%d findings, the first %+v", len(r.findings.order), first.Finding)
	}
	for i := range 40 {
		r.findings.tell(misuseOf(4+i, finding.Warning, "Rank %d sends %s.", 4+i, string(rune('a'+i))))
	}
	if len(r.findings.order) != 2+maxForms {
		t.Errorf("%d findings, want %d", len(r.findings.order), 2+maxForms)
	}
}

// TestTheLowestRanksSpeakForAll of what several have done to each other at the same lines, in whatever order that is
// heard.
func TestTheLowestRanksSpeakForAll(t *testing.T) {
	pair := func(a, b int) finding.Finding {
		f := misuseOf(a, finding.Error, "Rank %d sends rank %d something else.", a, b)
		f.Hint = fmt.Sprintf("change rank %d", b)
		f.Ranks, f.Places = []int{a, b},
			append(f.Places, finding.Place{Rank: b, Call: "MPI_Recv", Frame: finding.Frame{File: "a.c", Line: 2}})
		return f
	}
	const want = "Rank 0 sends rank 4 something else. [0 2 3 4 5 6] [the same happens at the same lines to ranks 2 " +
		"and 3; ranks 5 and 6] change rank 4"
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, nil)
		for _, i := range order {
			r.findings.tell([]finding.Finding{pair(0, 4), pair(2, 3), pair(5, 6)}[i])
		}
		f := r.findings.order[0].whole()
		if got := fmt.Sprint(f.Sentence, " ", f.Ranks, " ", finding.Sentences(f.Notes), " ", f.Hint); got != want ||
			len(r.findings.order) != 1 {
			t.Errorf("heard in the order %v: %s, want %s", order, got, want)
		}
	}
}

// What a rank frees after MPI_Finalize was not forgotten: that it is a leak follows from the error, and is left out.
func TestWhatIsFreedTooLateIsNoLeakBesides(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, nil)
	leak := misuseOf(1, finding.Warning, "Rank %d leaks.", 1)
	leak.Code = "leak-type"
	other := misuseOf(2, finding.Warning, "Rank %d leaks.", 2)
	other.Code = "leak-comm"
	r.findings.tell(leak)
	r.findings.tell(other)
	r.ended(&Ended{Outside: []message.Outside{{Code: lifecycle.OutsideMPI, When: "after", Function: "MPI_Type_free",
		Frees: mpi.OType, Places: []finding.Place{{Rank: 1}}}}})
	all := r.findings.order
	if len(all) != 3 || !r.findings.freedLate(all[0]) || r.findings.freedLate(all[1]) ||
		r.findings.freedLate(all[2]) || all[0].certain() {
		t.Errorf("%d findings, of which those that follow from another: %v %v", len(all),
			r.findings.freedLate(all[0]), r.findings.freedLate(all[1]))
	}
}

// A rank with very many communicators that ends in a call that creates one more has run out of them.
func TestARankThatRunsOutOfCommunicatorsDiesOfItsGrowth(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string]finding.Severity{"MPI_Comm_split": finding.Error,
		"MPI_Win_create": finding.Error, "MPI_Send": finding.Warning} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, table)
		grows := misuseOf(1, finding.Warning, "Rank %d has many.", 1)
		grows.Code = leaks.ResourceGrowth
		r.findings.tell(grows)
		r.deaths.hear(&message.Death{Rank: 1, Within: true, Manner: message.Manner{Own: true},
			Place: finding.Place{Rank: 1, Call: call}})
		explained := r.deaths.explain(r.deaths.list[0])
		if got := r.findings.order[0].Severity; got != want || explained != (want == finding.Error) ||
			(len(r.findings.order[0].Died) == 1) != explained {
			t.Errorf("%s: %s, explained: %v", call, got, explained)
		}
	}
}

// A window without memory lets its owner crash in whatever call its library carries out there what others do to it, and
// nowhere else; it lets nobody exit.
func TestARankDiesOfAWindowWithoutMemory(t *testing.T) {
	for _, c := range []struct {
		death message.Death
		want  bool
	}{
		{message.Death{Rank: 1, Within: true, Moment: 9, Manner: message.Manner{Own: true, Kind: ring.DeathSignal,
			Code: int32(syscall.SIGSEGV)}}, true},
		{message.Death{Rank: 2, Within: true, Moment: 9, Manner: message.Manner{Own: true, Kind: ring.DeathSignal,
			Code: int32(syscall.SIGSEGV)}}, false},
		{message.Death{Rank: 1, Manner: message.Manner{Own: true, Kind: ring.DeathSignal,
			Code: int32(syscall.SIGSEGV)}}, false},
		{message.Death{Rank: 1, Within: true, Moment: 9, Manner: message.Manner{Own: true, Kind: ring.DeathSignal,
			Code: int32(syscall.SIGFPE)}}, false},
		{message.Death{Rank: 1, Within: true, Moment: 9, Manner: message.Manner{Own: true, Kind: ring.DeathExit,
			Code: 3}}, false},
	} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, nil)
		window := misuseOf(1, finding.Error, "Rank %d has no memory.", 1)
		window.Code = "win-memory-outside"
		r.findings.tell(window)
		r.deaths.hear(&c.death)
		if got := r.deaths.explain(r.deaths.list[0]); got != c.want || (len(r.findings.order[0].Died) == 1) != got {
			t.Errorf("%+v: explained: %v", c.death, got)
		}
	}
}
