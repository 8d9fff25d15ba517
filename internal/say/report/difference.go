package report

import (
	"bufio"
	"fmt"
	"io"

	"unknot/internal/vocab/finding"
)

// Difference writes what two results have in common and what not: in full what is new, a line for each finding that is
// fixed or the same, then a line that sums up.
func Difference(w io.Writer, before, now *finding.Run, opt TerminalOptions) error {
	if opt.Width <= 0 {
		opt.Width = 100
	}
	before, now = normal(before), normal(now)
	t := &terminal{out: bufio.NewWriter(w), opt: opt, names: namesOf(now), world: now.Ranks}
	still, same := make(map[int]bool), finding.Same(now.Findings, before.Findings)
	for i, was := range same {
		if was >= 0 {
			still[was] = true
			continue
		}
		t.line(t.paint(bold, "new:"))
		t.finding(&now.Findings[i])
	}
	old := &terminal{out: t.out, opt: opt, names: namesOf(before), world: before.Ranks}
	for i := range before.Findings {
		if !still[i] {
			old.brief("fixed", &before.Findings[i])
		}
	}
	for i, was := range same {
		if was >= 0 {
			t.brief("same", &now.Findings[i])
		}
	}
	t.line(fmt.Sprintf("unknot: %s, %d fixed, %d the same", plural(len(now.Findings)-len(still), "new finding",
		"new findings"), len(before.Findings)-len(still), len(still)))
	for _, run := range []struct {
		name string
		*finding.Run
	}{{"old", before}, {"new", now}} {
		if !run.Complete {
			t.text("unknot: ", "", "the "+run.name+" report is incomplete, so findings may be missing in it: "+run.Why)
		}
	}
	return t.out.Flush()
}

// brief is a finding on as few lines as its sentence takes.
func (t *terminal) brief(what string, f *finding.Finding) {
	at := ""
	if len(f.Places) > 0 {
		if at = t.names.at(f.Places[0].Frame); at != "" {
			at = " at " + at
		}
	}
	t.text(what+": ", "", fmt.Sprintf("%s: %s%s: %s", f.Severity, f.Code, at, f.Sentence))
}
