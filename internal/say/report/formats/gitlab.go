package formats

import (
	"encoding/json"
	"io"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// issue is an entry of GitLab's code quality report.
type issue struct {
	Description string     `json:"description"`
	Check       string     `json:"check_name"`
	Print       string     `json:"fingerprint"`
	Severity    string     `json:"severity"`
	At          issuePlace `json:"location"`
}

type issuePlace struct {
	Path  string     `json:"path"`
	Lines issueLines `json:"lines"`
}

type issueLines struct {
	Begin int `json:"begin"`
}

func gitlab(w io.Writer, run *report.Retold, o *Options) error {
	issues, fingerprints := make([]issue, 0, len(run.Findings)), prints(run.Findings)
	for i := range run.Findings {
		f := &run.Findings[i]
		at := anchor(f)
		path, line := at.File, max(1, at.Line)
		if path == "" {
			path, line = at.Module, 1
		}
		if path == "" {
			path = program(run.Run)
		}
		path, _ = o.relative(path)
		issues = append(issues, issue{report.Clean(f.Sentence), string(f.Code), fingerprints[i],
			gitlabSeverity(f.Severity), issuePlace{path, issueLines{line}}})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}

func gitlabSeverity(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "critical"
	case finding.Warning:
		return "major"
	}
	return "info"
}
