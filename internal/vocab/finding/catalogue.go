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
	Since    string   // first version of unknot with this code, one of those below
	Peers    []string // names that MUST and ITAC have for what it says; of a usage check they stand with the check
	// Means, Why and Fix are plain text; paragraphs are separated by an empty line.
	Means string // what a finding with this code says about the run
	Why   string // how programs come to it
	Fix   string // how to fix it
	// Broken and Fixed are whole programs that show the error and the repair.
	Broken string
	Fixed  string
}

// Version01 is 0.1.0, as CHANGELOG.md has it: a new code belongs to the version there that is not yet released.
const Version01 = "0.1"

// Catalogue explains codes, in the order in which documents present them.
type Catalogue []Doc

//go:embed catalogue/*/*.c catalogue/*/*.upc
var snippets embed.FS

// Own is the catalogue of this package's codes. Those of usage checks come with the checks.
func Own() Catalogue {
	var c Catalogue
	for _, l := range Languages() {
		terms := l.Terms()
		for _, code := range terms.Codes {
			doc, ok := terms.Explain(code)
			if !ok {
				continue
			}
			doc.Code = code
			doc.Broken, doc.Fixed = snippet(code, "broken", terms.Source), snippet(code, "fixed", terms.Source)
			c = append(c, doc.Unwrap())
		}
	}
	return c
}

// Unwrap gives the record with each paragraph on one line, so that the printer alone decides where lines break.
func (d Doc) Unwrap() Doc {
	d.Means, d.Why, d.Fix = unwrap(d.Means), unwrap(d.Why), unwrap(d.Fix)
	return d
}

// Codes lists every code.
func (c Catalogue) Codes() []Code {
	out := make([]Code, len(c))
	for i := range c {
		out[i] = c[i].Code
	}
	return out
}

// Explain gives the record of a code; ok is false if there is no such code.
func (c Catalogue) Explain(code Code) (doc Doc, ok bool) {
	for _, d := range c {
		if d.Code == code {
			return d, true
		}
	}
	return Doc{}, false
}

// Nearest names the code that was probably meant by a word, or says where they are listed.
func (c Catalogue) Nearest(word string) string {
	var all []string
	for _, d := range c {
		all = append(all, string(d.Code))
	}
	return Nearest(word, all, "`unknot explain` lists the codes")
}

// snippet reads an embedded program. A missing one is a mistake in this package, which the tests catch.
func snippet(code Code, name, extension string) string {
	b, err := snippets.ReadFile(fmt.Sprintf("catalogue/%s/%s.%s", code, name, extension))
	if err != nil {
		return ""
	}
	return string(b)
}

// unwrap joins the lines of each paragraph.
func unwrap(s string) string {
	paragraphs := strings.Split(strings.TrimSpace(s), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
