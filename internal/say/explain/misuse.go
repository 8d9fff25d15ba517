package explain

import (
	"fmt"
	"regexp"
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
)

// parameter is a parameter in the sentence of a check.
var parameter = regexp.MustCompile(`\{([a-z_0-9]+)\}`)

// Misuse makes a finding of what a check reports of a call, at a place. source is what the program has there for the
// parameter with a number, "" if that is not known.
func Misuse(x *check.Report, p finding.Place, source func(parameter int) string) finding.Finding {
	written := func(name string) string {
		for i := range x.Call.Func.Params {
			if x.Call.Func.Params[i].Name != name {
				continue
			}
			if text := source(i); text != "" && text != name &&
				!(strings.HasPrefix(text, "MPI_") && strings.Contains(x.Sentence.Text, text)) {
				return name + " (`" + text + "`)"
			}
		}
		return name
	}
	f := finding.Finding{Code: x.Code, Severity: x.Severity, Standing: x.Standing, Hint: x.Hint, Notes: x.Notes,
		Ranks: []int{p.Rank}, Places: []finding.Place{p}, Count: 1, Form: x.Sentence.Form}
	f.Sentence = parameter.ReplaceAllStringFunc(x.Sentence.Text, func(s string) string {
		return written(s[1 : len(s)-1])
	})
	return f
}

// Related is a note of another call of the same rank that a report is about, at a place, "" if that is not known.
func Related(r *check.Related, at string) finding.Note {
	text := r.Text
	if r.Func != nil {
		text += " by " + r.Func.Name
	}
	if at != "" {
		text += " at " + at
	}
	return finding.Note{Label: r.Label, Text: text}
}

// Elsewhere is a note of a call or an access of another rank.
func Elsewhere(e *check.Elsewhere, at string) finding.Note {
	text := e.Text
	if e.Func != nil {
		text = fmt.Sprintf("%s by %s of rank %d", e.Text, e.Func.Name, e.Rank)
	}
	if at != "" {
		text += " at " + at
	}
	return finding.Note{Label: e.Label, Text: text}
}
