package supervise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestReportsThatCannotBeWritten proves that each report that could not be written is named with the reason, whatever
// else goes wrong, and that findings decide the exit status all the same.
func TestReportsThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	shown, err := os.Create(filepath.Join(t.TempDir(), "shown"))
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Close()
	const html, json = "unknot: cannot write report gone/out.html: the directory does not exist; hint: create it first",
		"unknot: cannot write report /dev/full: no space left on device"
	deadlock := finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Predicted,
		Sentence: "Ranks wait."}
	for _, c := range []struct {
		name     string
		findings []finding.Finding
		to       *os.File
		status   int
		want     []string
	}{
		{"nothing found", nil, shown, ExitTool, []string{html, json}},
		{"a finding", []finding.Finding{deadlock}, shown, ExitFindings, []string{html, json}},
		{"nothing found, and nothing can be shown", nil, full, ExitTool,
			[]string{html, json, "unknot: cannot show the result: write /dev/full: no space left on device"}},
		{"a finding that cannot be shown", []finding.Finding{deadlock}, full, ExitFindings,
			[]string{html, json, "unknot: cannot show the result: write /dev/full: no space left on device"}},
	} {
		p := Presentation{Files: Files{Reports: []string{"gone/out.html"}, JSON: "/dev/full"}, Color: "never",
			ErrorExit: ExitFindings, FailOn: finding.Error}
		if err := p.Check(); err == nil {
			t.Errorf("%s: a path that cannot be written is accepted", c.name)
		}
		status, err := Present(&finding.Run{Schema: finding.Schema, Ranks: 2, Complete: true, Findings: c.findings}, p,
			c.to)
		if status != c.status {
			t.Errorf("%s: exit status %d, want %d", c.name, status, c.status)
		}
		if err == nil {
			t.Errorf("%s: no error", c.name)
		} else if want := strings.Join(c.want, "\n"); Complaint(err) != want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, Complaint(err), want)
		}
	}
}

// TestWhatWasAnnouncedIsShownOnce has findings shown before the result is there: one that the result has, and one that
// it has with fewer ranks.
func TestWhatWasAnnouncedIsShownOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shown")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	deadlock := func(sentence string, line int) finding.Finding {
		return finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Confirmed,
			Sentence: sentence, Places: []finding.Place{{Call: "MPI_Recv", Frame: finding.Frame{File: "a.c", Line: line}}}}
	}
	kept, wide, narrow := deadlock("Ranks wait.", 1), deadlock("All ranks wait.", 2), deadlock("Some ranks wait.", 3)
	p := Presentation{Color: "never", ErrorExit: ExitFindings, FailOn: finding.Error}
	result := func(findings ...finding.Finding) *finding.Run {
		run := &finding.Run{Schema: finding.Schema, Ranks: 4, Complete: true, Findings: findings}
		run.Verdict = "not free"
		return run
	}
	for _, f := range []finding.Finding{kept, wide} {
		if err := p.Announce(result(f), to); err != nil {
			t.Fatal(err)
		}
	}
	if status, err := Present(result(kept, narrow), p, to); status != ExitFindings || err != nil {
		t.Errorf("exit status %d (%v), want %d", status, err, ExitFindings)
	}
	said, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(said)
	for _, want := range []string{"  Ranks wait.\n", "  All ranks wait.\n", "unknot: not free\n", "  Some ranks wait.\n",
		"unknot: deadlock, reported above, is left out of the result, which has the same mistake with fewer ranks: All ranks " +
			"wait.\n", "unknot: 2 errors, 0 warnings; 4 ranks"} {
		_, after, there := strings.Cut(rest, want)
		if !there {
			t.Errorf("no %q after what precedes it:\n%s", want, said)
			continue
		}
		rest = after
	}
	if n := strings.Count(string(said), "  Ranks wait.\n"); n != 1 {
		t.Errorf("what was announced is shown %d times, want once:\n%s", n, said)
	}
}
