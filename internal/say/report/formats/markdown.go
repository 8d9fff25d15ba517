package formats

import (
	"fmt"
	"io"
	"strings"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// maxMarkdown bounds the findings that a summary shows in full, as pages that show it have a bound on what they take.
const maxMarkdown = 50

// markdown is a summary: a table of the findings, and below it the text of each, folded.
func markdown(w io.Writer, run *report.Retold, o *Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## unknot: %s\n\n", outcome(run))
	fmt.Fprintf(&b, "%s\n\n", code(report.ShellLine(run.Command)))
	if run.Verdict != "" {
		fmt.Fprintf(&b, "%s\n\n", inline(finding.Capital(run.Verdict)))
	}
	if !run.Complete {
		fmt.Fprintf(&b, "**Incomplete:** %s\n\n", inline(run.Why))
	}
	shown := run.Findings[:min(len(run.Findings), maxMarkdown)]
	if len(shown) > 0 {
		b.WriteString("| | code | where | what |\n|---|---|---|---|\n")
	}
	for i := range shown {
		f := &shown[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", mark(f), code(string(f.Code)), inline(run.At(anchor(f))),
			inline(f.Sentence))
	}
	if len(shown) > 0 {
		b.WriteString("\n")
	}
	for i := range shown {
		f := &shown[i]
		fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n%s\n\n</details>\n\n", mark(f),
			html(report.Clean(string(f.Code)+": "+f.Sentence)), fenced("text", run.Text(f)))
	}
	if n := len(run.Findings) - len(shown); n > 0 {
		fmt.Fprintf(&b, "%s: the other reports show all.\n\n", finding.Count(n, "more finding", "more findings"))
	}
	for _, n := range run.Notes {
		fmt.Fprintf(&b, "- %s\n", inline(n))
	}
	if len(run.Notes) > 0 {
		b.WriteString("\n")
	}
	closing := run.Closing()
	fmt.Fprintf(&b, "%s\n", inline(strings.TrimPrefix(closing[strings.LastIndexByte(closing, '\n')+1:], "unknot: ")))
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome is the heading.
func outcome(run *report.Retold) string {
	count := make(map[finding.Severity]int)
	for i := range run.Findings {
		count[run.Findings[i].Severity]++
	}
	switch {
	case run.Unwatched():
		return "not watched"
	case len(run.Findings) == 0:
		return "nothing found"
	}
	return finding.Count(count[finding.Error], "error", "errors") + ", " + finding.Count(count[finding.Warning],
		"warning", "warnings")
}

// mark is the severity of a finding, and whether the baseline has it.
func mark(f *finding.Finding) string {
	s := report.Clean(string(f.Severity))
	if f.Baseline == finding.Unchanged {
		s += " (in the baseline)"
	}
	return s
}

// code is a piece of code in a line, or in a cell of a table.
func code(s string) string {
	s = strings.ReplaceAll(report.Clean(s), "|", "\\|")
	fence := strings.Repeat("`", longestRun(s)+1)
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// html is text in HTML.
func html(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "`", "&#96;", "*",
		"&#42;", "_", "&#95;").Replace(s)
}
