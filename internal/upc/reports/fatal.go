package reports

import (
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// fatal is the finding of an error with which the run-time has ended the program.
func (l *line) fatal(resolve *symbol.Resolver) finding.Finding {
	sentence, hint, _ := strings.Cut(l.Sentence, "; hint: ")
	sentence = finding.Capital(sentence) + "."
	here := where(resolve, symbol.ParseMaps(l.PID, l.Maps), l.Stack)
	p := finding.Place{Rank: l.Thread, State: "running", Call: here.operation, Stack: here.stack, WaitsFor: []int{}}
	if len(here.stack) > 0 {
		p.Frame = here.stack[0]
	}
	f := finding.Finding{Code: finding.UPCError, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.UPC,
		Sentence: sentence, Hint: hint,
		Ranks: []int{l.Thread}, Places: []finding.Place{p}, Count: 1}
	if !l.Access {
		f.Notes = finding.Remarks("compile the program with upc-check instead of unknot upcc to find where such " +
			"errors start")
	}
	return f
}
