package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func at(code finding.Code, severity finding.Severity, file string, line int) finding.Finding {
	return finding.Finding{Code: code, Severity: severity, Sentence: "words",
		Places: []finding.Place{{Frame: finding.Frame{File: file, Line: line}}}}
}

func TestFindingsAreComparedWithWhatIsExpected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "findings.tsv")
	text := "# comment\n" +
		"errors/coll/.*\tany\tbuffer-overlap\tnoalias.c:35\tmust\taliased on purpose\n" +
		"errors/coll/noalias\tany\tcall-failed,in-place-invalid\tany\tmust\tMPI says so\n" +
		"errors/coll/noalias\tOpen MPI\trank-died\tany\tmust\tits default handler\n" +
		"errors/coll/noalias\tMPICH\tleak-comm\tnoalias.c:20\tmay\tnot freed\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := readExpected(path)
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Case: Case{MPI: "MPICH", Name: "MPICH:errors/coll/noalias"}, Run: &finding.Run{},
		Findings: []finding.Finding{
			at("buffer-overlap", finding.Error, "/somewhere/noalias.c", 36),
			at("in-place-invalid", finding.Error, "/somewhere/noalias.c", 50),
			at("leak-comm", finding.Warning, "/somewhere/noalias.c", 20),
			at("deprecated-function", finding.Info, "/somewhere/noalias.c", 9),
		}}
	j := judge(r, list)
	if want := []string{"buffer-overlap at noalias.c:35"}; !slices.Equal(j.Missed, want) || j.Met != 1 {
		t.Errorf("missed %q and met %d, want %q and 1", j.Missed, j.Met, want)
	}
	r.Watched.TimedOut = true
	if late := judge(r, list); len(late.Missed) != 0 || late.Met != 1 {
		t.Errorf("of a run that was cut short missed %q and met %d, want none and 1", late.Missed, late.Met)
	}
	if len(j.Unexplained) != 1 || place(j.Unexplained[0].Places[0]) != "noalias.c:36" {
		t.Errorf("not expected: %v, want the one of line 36", j.Unexplained)
	}
}

func TestAWrongLineOfExpectationsIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"coll\tany\tcode\tany\tmust\n":            "5 fields",
		"coll(\tany\tcode\tany\tmust\twhy\n":      "missing closing",
		"coll\tany\tcode\tany\tperhaps\twhy\n":    `"perhaps", want must or may`,
		"#\ncoll\tany\tcode\tany\tmust\n":         ":2:",
		"coll\tany\tcode\tany\tmust\twhy\tmore\n": "7 fields",
	} {
		path := filepath.Join(t.TempDir(), "findings.tsv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readExpected(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
}

func TestResultsAreKeptAndReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	keep, known, err := openStore(path)
	if err != nil || len(known) > 0 {
		t.Fatalf("%v, %d results in a new file", err, len(known))
	}
	c := Case{MPI: "MPICH", Name: "MPICH:coll/red"}
	keep.add(Result{Case: c, ID: c.id(), Plain: outcome{Exit: 3, Seconds: 1.5}, Output: true,
		Run:      &finding.Run{Exit: 3, Calls: 7},
		Findings: []finding.Finding{at("leak-comm", finding.Warning, "/somewhere/red.c", 20)}})
	if keep.err != nil {
		t.Fatal(keep.err)
	}
	keep.file.Close()
	again, known, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	again.file.Close()
	r := known[c.id()]
	if r.Plain.Exit != 3 || !r.Output || r.Run == nil || r.Run.Calls != 7 || len(r.Findings) != 1 ||
		place(r.Findings[0].Places[0]) != "red.c:20" {
		t.Errorf("read again: %+v", r)
	}
	if err := os.WriteFile(path, []byte("{\"case\":\"a\"}\n{\"case\":"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openStore(path); err == nil || !strings.Contains(err.Error(), "after 1 results") {
		t.Errorf("a file that was cut short: %v", err)
	}
}
