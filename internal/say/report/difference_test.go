package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestDifferenceNamesEachFindingOnce proves that of several mistakes of one kind each is named, with one word.
func TestDifferenceNamesEachFindingOnce(t *testing.T) {
	at := func(lines ...int) *finding.Run {
		run := runOf(2)
		for _, line := range lines {
			run.Findings = append(run.Findings, finding.Finding{Code: finding.Deadlock, Severity: finding.Error,
				Standing: finding.Manifest, Count: 1, Sentence: "Rank 0 waits.",
				Places: []finding.Place{{State: "blocked", Call: "MPI_Recv", Frame: frame("main", "a.c", line)}}})
		}
		return run
	}
	before, now := at(10, 20, 30), at(20, 31, 40, 50)
	before.Complete, before.Why = false, "it was killed"
	var b bytes.Buffer
	if err := Difference(&b, before, now, TerminalOptions{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for word, want := range map[string]int{"new:\n": 1, "fixed: ": 0, "same: error: deadlock at main (a.c:": 3,
		"1 new finding, 0 fixed, 3 the same":                                            1,
		"the old report is incomplete, so findings may be missing in it: it was killed": 1} {
		if n := strings.Count(text, word); n != want {
			t.Errorf("%q %d times, want %d:\n%s", word, n, want, text)
		}
	}
}

func TestReportsThatCannotBeReadAreNamed(t *testing.T) {
	dir := t.TempDir()
	cut := filepath.Join(dir, "cut.json")
	if err := os.WriteFile(cut, []byte(`{"schema": "unknot.findings/1", "rank`), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                        "it is a directory; hint: ",
		filepath.Join(dir, "none"): "there is no such file; hint: ",
		cut:                        "before the document is complete; hint: ",
	} {
		if _, err := ReadFile(path); err == nil || !strings.HasPrefix(err.Error(), "cannot read report "+path+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
