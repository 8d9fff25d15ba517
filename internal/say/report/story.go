package report

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
)

// story writes how a run reaches a finding, a numbered line a step.
func (t *terminal) story(s *finding.Story) {
	if s == nil || len(s.Steps) == 0 {
		return
	}
	t.line("  how it happens:")
	width := len(fmt.Sprint(len(s.Steps)))
	for i, st := range s.Steps[:min(len(s.Steps), maxSteps)] {
		t.text(fmt.Sprintf("    %*d. ", width, i+1), "", sentenceOf(&st, t.names))
	}
	if n := len(s.Steps) - maxSteps; n > 0 {
		t.line("    and ", plural(n, "more step", "more steps"), "; the HTML and JSON reports show all")
	}
	t.line()
}

// maxSteps bounds the steps on a terminal.
const maxSteps = 12

// sentenceOf is the sentence of a step with its place.
func sentenceOf(s *finding.Step, names shortNames) string {
	sentence := clean(s.Sentence)
	if at := clean(names.at(s.At)); at != "" {
		return strings.TrimSuffix(sentence, ".") + "; at " + at + "."
	}
	return sentence
}
