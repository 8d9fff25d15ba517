package upc

import (
	"strings"

	"unknot/internal/vocab/finding"
)

// Fatal is an error with which the runtime has ended the program.
type Fatal struct {
	Text      string // of the runtime: "what it is; hint: what to do"
	Access    bool   // it is an access to a shared object, which no check looks at
	Thread    int
	Operation string
	Stack     []finding.Frame
}

// Finding is that of the error.
func (e *Fatal) Finding() finding.Finding {
	f := manifest(finding.UPCError)
	sentence, hint, _ := strings.Cut(e.Text, "; hint: ")
	f.Sentence, f.Hint = finding.Capital(sentence)+".", hint
	p := finding.Place{Rank: e.Thread, State: "running", Call: e.Operation, Stack: e.Stack, WaitsFor: []int{}}
	if len(e.Stack) > 0 {
		p.Frame = e.Stack[0]
	}
	f.Ranks, f.Places = []int{e.Thread}, []finding.Place{p}
	if !e.Access {
		f.Notes = finding.Remarks("compile the program with upc-check instead of unknot upcc to find where such " +
			"errors start")
	}
	return f
}
