package reports

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/say/explain/upc"
	"unknot/internal/vocab/finding"
)

// fatal is the finding of an error with which the runtime has ended the program.
func (l *line) fatal(resolve *symbol.Resolver) finding.Finding {
	here := where(resolve, symbol.ParseMaps(l.PID, l.Maps), l.Stack)
	e := upc.Fatal{Text: l.Sentence, Access: l.Access, Thread: l.Thread, Operation: here.operation, Stack: here.stack}
	return e.Finding()
}
