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
