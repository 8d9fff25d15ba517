package check

import (
	"unknot/internal/vocab/finding"
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
	Portability Family = "portability"
	Style       Family = "style"
)

// Families lists them as documents present them.
func Families() []Family {
	return []Family{Arguments, Handles, Datatypes, Buffers, Requests, Collectives, Leaks, Messages, RMA, Files, Threads,
		LifeCycle, Errors, Portability, Style}
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
