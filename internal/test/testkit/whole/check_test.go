package whole

import (
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func recvRecv() Example {
	return Example{
		Name: "recv-recv",
		Broken: Program{Path: "/x/recv-recv/broken.c", Text: "int main(void)\n{\n" +
			"    MPI_Recv(a); /* rank 0 waits here */\n    MPI_Recv(b); /* rank 1 waits here */\n}\n"},
		Want: Expectation{
			Ranks: 2, Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Exit: 66,
			Core: []int{0, 1},
			Places: []PlaceWant{
				{Rank: 0, Call: "MPI_Recv", Marker: "rank 0 waits here"},
				{Rank: 1, Call: "MPI_Recv", Marker: "rank 1 waits here"},
			},
			SentenceHas: []string{"wait for each other"},
			WordsHas:    []string{"tag 3"},
		},
	}
}

func rightReport() finding.Run {
	place := func(rank, line int) finding.Place {
		return finding.Place{Rank: rank, State: "blocked", Call: "MPI_Recv", Args: "tag 3",
			Frame: finding.Frame{File: "/build/broken.c", Line: line}}
	}
	return finding.Run{Schema: finding.Schema, Ranks: 2, Complete: true, Findings: []finding.Finding{
		{Code: finding.NotModelled, Severity: finding.Info},
		{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest,
			Sentence: "Ranks 0 and 1 wait for each other", Ranks: []int{0, 1},
			Places: []finding.Place{place(0, 3), place(1, 4)}},
	}}
}

func TestTheRightReportHasNoProblems(t *testing.T) {
	if got := CheckBroken(recvRecv(), rightReport(), 66); len(got) != 0 {
		t.Errorf("problems: %q", got)
	}
}

func TestEveryDifferenceIsAProblem(t *testing.T) {
	for name, change := range map[string]struct {
		spoil func(*finding.Run, *finding.Finding)
		say   string
	}{
		"code": {func(_ *finding.Run, f *finding.Finding) { f.Code = finding.Livelock }, "exactly one deadlock"},
		"twice": {func(r *finding.Run, f *finding.Finding) { r.Findings = append(r.Findings, *f) },
			"exactly one deadlock"},
		"severity": {func(_ *finding.Run, f *finding.Finding) { f.Severity = finding.Warning },
			"want error, manifest"},
		"standing": {func(_ *finding.Run, f *finding.Finding) { f.Standing = finding.Predicted },
			"want error, manifest"},
		"too few":  {func(_ *finding.Run, f *finding.Finding) { f.Ranks = []int{0} }, "want rank 1 in it"},
		"too many": {func(_ *finding.Run, f *finding.Finding) { f.Ranks = []int{0, 1, 2} }, "rank 2 does not belong"},
		"no place": {func(_ *finding.Run, f *finding.Finding) { f.Places = f.Places[:1] },
			"rank 1 is in the core, but"},
		"call": {func(_ *finding.Run, f *finding.Finding) { f.Places[0].Call = "MPI_Send" },
			"places of rank 0 are"},
		"line": {func(_ *finding.Run, f *finding.Finding) { f.Places[1].Line = 3 }, "want MPI_Recv at broken.c:4"},
		"file": {func(_ *finding.Run, f *finding.Finding) { f.Places[1].File = "lib.c" },
			"want MPI_Recv at broken.c:4"},
		"sentence": {func(_ *finding.Run, f *finding.Finding) { f.Sentence = "It hangs." },
			"missing from the sentence"},
		"words": {func(_ *finding.Run, f *finding.Finding) { f.Places[0].Args, f.Places[1].Args = "", "" },
			"missing from the words"},
		"schema":    {func(r *finding.Run, _ *finding.Finding) { r.Schema = "" }, "schema is"},
		"job size":  {func(r *finding.Run, _ *finding.Finding) { r.Ranks = 3 }, "counts 3 ranks"},
		"no report": {func(r *finding.Run, _ *finding.Finding) { r.Findings = nil }, "exactly one deadlock"},
	} {
		t.Run(name, func(t *testing.T) {
			run := rightReport()
			change.spoil(&run, &run.Findings[1])
			got := strings.Join(CheckBroken(recvRecv(), run, 66), "\n")
			if !strings.Contains(got, change.say) {
				t.Errorf("problems are %q, want one that says %q", got, change.say)
			}
		})
	}
	if got := CheckBroken(recvRecv(), rightReport(), 0); len(got) != 1 {
		t.Errorf("wrong exit status gives %q, want one problem", got)
	}
}

func TestAFixedProgramMayNotBeReported(t *testing.T) {
	run := rightReport()
	if got := CheckFixed(recvRecv(), run, 0); len(got) != 1 {
		t.Errorf("a deadlock in the fixed program gives %q, want one problem", got)
	}
	run.Findings = run.Findings[:1]
	if got := CheckFixed(recvRecv(), run, 0); len(got) != 0 {
		t.Errorf("information alone gives %q, want nothing", got)
	}
}

func TestAMarkerNamesOneLine(t *testing.T) {
	p := Program{Path: "a.f90", Text: "call a ! rank 0 waits\ncall b ! rank 1 waits\ncall c # rank 1 waits\n"}
	if line, err := p.Line("rank 0 waits"); err != nil || line != 1 {
		t.Errorf("line %d, %v, want 1", line, err)
	}
	for _, marker := range []string{"rank 1 waits", "waits", "rank 2 waits"} {
		if line, err := p.Line(marker); err == nil {
			t.Errorf("marker %q gives line %d, want an error", marker, line)
		}
	}
}
