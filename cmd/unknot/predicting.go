package main

import (
	"fmt"
	"strconv"

	"unknot/internal/predict/exact"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

// reporting is how a result that is not that of a single run is shown, and the flags that say so.
type reporting struct {
	supervise.Presentation
	failOn string
}

func newReporting() *reporting {
	return &reporting{Presentation: supervise.Presentation{Color: "auto", ErrorExit: supervise.ExitFindings},
		failOn: string(finding.Error)}
}

// define defines the options.
func (r *reporting) define(f options) {
	f.files(&r.Files)
	f.baseline(&r.Files)
	r.counting(f)
}

// counting defines those of them that say what sets the exit status.
func (r *reporting) counting(f options) {
	f.choice(&r.failOn, "fail-on", "lowest severity that sets the exit status (default error); predicted: predicted "+
		"findings too",
		string(finding.Error), string(finding.Warning), string(supervise.FailOnPredicted))
	f.number(&r.ErrorExit, "error-exitcode", "N", "exit status if there are findings of that severity (default 66)")
}

// check says what is wrong with the flags, once they are read.
func (r *reporting) check(command string) error {
	r.FailOn = finding.Severity(r.failOn)
	if r.ErrorExit < 0 || r.ErrorExit > 255 {
		return fmt.Errorf("%s: --error-exitcode %d: must be 0 to 255", command, r.ErrorExit)
	}
	return r.Check()
}

// buffering is the value of --buffering: any, none, infinite, or a number of bytes.
type buffering struct {
	kind  *exact.Buffering
	limit *int64
}

func (b buffering) String() string { return "" }

func (b buffering) Type() string { return "B" }

func (b buffering) Set(s string) error {
	switch s {
	case "any":
		*b.kind = exact.BufferAny
	case "none":
		*b.kind = exact.BufferNone
	case "infinite":
		*b.kind = exact.BufferAll
	default:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not any, none, infinite or a number of bytes", s)
		}
		*b.kind, *b.limit = exact.BufferLimit, n
	}
	return nil
}
