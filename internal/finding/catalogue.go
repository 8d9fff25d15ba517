package finding

import (
	"embed"
	"fmt"
	"strings"
)

// Doc explains one code to a person who meets it for the first time. The same record serves `unknot explain`, the HTML
// report and the documentation.
type Doc struct {
	Code     Code
	Title    string
	Severity Severity // the usual one; a finding carries its own
	Since    string   // first version of unknot with this code
	// Means, Why and Fix are plain text; paragraphs are separated by an empty line.
	Means string // what a finding with this code says about the run
	Why   string // how programs come to it
	Fix   string // how to mend it
	// Broken and Fixed are whole C programs that show the error and the repair.
	Broken string
	Fixed  string
}

//go:embed catalogue/*/*.c
var snippets embed.FS

// Codes lists every code, in the order in which documents present them.
func Codes() []Code {
	return []Code{Deadlock, DeadlockUnsafe, Livelock, RankDied, CollectiveMismatch, NotModelled, ReplayDiverged}
}

// Explain gives the record of a code; ok is false if there is no such code.
func Explain(code Code) (doc Doc, ok bool) {
	doc, ok = text(code)
	if !ok {
		return Doc{}, false
	}
	doc.Code = code
	doc.Means, doc.Why, doc.Fix = unwrap(doc.Means), unwrap(doc.Why), unwrap(doc.Fix)
	doc.Broken, doc.Fixed = snippet(code, "broken"), snippet(code, "fixed")
	return doc, true
}

// snippet reads an embedded program. A missing one is a mistake in this package, which the tests catch.
func snippet(code Code, name string) string {
	b, err := snippets.ReadFile(fmt.Sprintf("catalogue/%s/%s.c", code, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// unwrap joins the lines of each paragraph, so that the printer alone decides where lines break.
func unwrap(s string) string {
	paragraphs := strings.Split(strings.TrimSpace(s), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
