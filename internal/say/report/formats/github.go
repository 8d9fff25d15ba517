package formats

import (
	"fmt"
	"io"
	"strings"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// Annotations writes a command for each finding that GitHub's runner reads from the output of a step, so that the
// finding is shown at its line. What the baseline has is left out: the reports show it, and the runner takes a few
// annotations of each step only.
func Annotations(w io.Writer, run *finding.Run, o *Options) error {
	retold := report.Retell(run)
	var b strings.Builder
	for i := range retold.Findings {
		f := &retold.Findings[i]
		if f.Baseline == finding.Unchanged {
			continue
		}
		command := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning"}[f.Severity]
		if command == "" {
			command = "notice"
		}
		var properties []string
		if at := anchor(f); at.File != "" {
			file, _ := o.relative(at.File)
			properties = append(properties, "file="+property(report.Clean(file)))
			if at.Line > 0 {
				properties = append(properties, fmt.Sprintf("line=%d", at.Line))
			}
		}
		properties = append(properties, "title="+property(fmt.Sprintf("unknot: %s (%s)", f.Code, f.Standing)))
		fmt.Fprintf(&b, "::%s %s::%s\n", command, strings.Join(properties, ","), data(annotation(retold, f)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is what stands at the line: the sentence, who does what, and the hint.
func annotation(run *report.Retold, f *finding.Finding) string {
	all := []string{report.Clean(f.Sentence)}
	core, _ := run.Parties(f)
	const most = 8
	for i, p := range core[:min(len(core), most)] {
		text := p.Who + ": " + p.Does
		if at := run.At(p.At); at != "" {
			text += ", at " + at
		}
		if all = append(all, text); i == most-1 && len(core) > most {
			all = append(all, "…")
		}
	}
	if f.Hint != "" {
		all = append(all, "hint: "+report.Clean(f.Hint))
	}
	return strings.Join(all, "\n")
}

// data escapes the text of a command, property a value before it.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
