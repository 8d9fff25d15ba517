package usage

import (
	"embed"
	"fmt"
	"slices"

	"unknot/internal/finding"
)

// Family groups checkers for --check and --no-check and for the documents.
type Family string

// Families.
const (
	Arguments   Family = "arguments"
	Handles     Family = "handles"
	Datatypes   Family = "datatypes"
	Buffers     Family = "buffers"
	Requests    Family = "requests"
	Collectives Family = "collectives"
	Leaks       Family = "leaks"
	Messages    Family = "messages"
	RMA         Family = "rma"
	Files       Family = "files"
	Threads     Family = "threads"
	LifeCycle   Family = "life-cycle"
	Errors      Family = "errors"
	Style       Family = "style"
)

// Families lists them as documents present them.
func Families() []Family {
	return []Family{Arguments, Handles, Datatypes, Buffers, Requests, Collectives, Leaks, Messages, RMA, Files, Threads, LifeCycle, Errors, Style}
}

// Checker is one check.
type Checker struct {
	Name   string // as --check takes it
	Family Family
	Off    bool // only if asked for
	// Codes are what it can say. Their broken and fixed programs are testdata/CODE/broken.c and fixed.c.
	Codes []finding.Doc
	// Peers are the names that MUST and ITAC have for what it finds.
	Peers []string
	// Watch adds its handlers.
	Watch func(h *Hooks)
}

// Checkers lists all checks, by family.
func Checkers() []Checker {
	return slices.Concat(argumentCheckers(), arrayCheckers(), topologyCheckers(), addressCheckers(), valueCheckers(), infoCheckers(), attributeCheckers(),
		suspiciousCheckers(), handleCheckers(), operatorCheckers(), objectCheckers(), datatypeCheckers(), bufferCheckers(), groundCheckers(), requestCheckers(),
		leakCheckers(), messageCheckers(), raceCheckers(), rmaCheckers(), fileCheckers(), threadCheckers(), lifeCheckers(), errorCheckers(), styleCheckers())
}

//go:embed testdata/*/broken.c testdata/*/fixed.c
var snippets embed.FS

// Catalogue explains all codes that unknot has: those of package finding, then those of the checkers.
func Catalogue() finding.Catalogue {
	all := finding.Own()
	for _, c := range Checkers() {
		for _, d := range c.Codes {
			d.Broken, d.Fixed = snippet(d.Code, "broken"), snippet(d.Code, "fixed")
			all = append(all, d.Unwrap())
		}
	}
	return all
}

// snippet reads an embedded program. A missing one is a mistake in this package, which the tests catch.
func snippet(code finding.Code, name string) string {
	b, err := snippets.ReadFile(fmt.Sprintf("testdata/%s/%s.c", code, name))
	if err != nil {
		return ""
	}
	return string(b)
}
