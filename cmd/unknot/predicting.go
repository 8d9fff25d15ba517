package main

import (
	"flag"
	"fmt"
	"strconv"

	"unknot/internal/finding"
	"unknot/internal/predict/exact"
	"unknot/internal/supervise"
)

// reporting is how a result that is not that of a single run is shown, and the flags that say so.
type reporting struct {
	supervise.Presentation
	failOn string
}

func newReporting(f *flag.FlagSet) *reporting {
	r := &reporting{Presentation: supervise.Presentation{Color: "auto", ErrorExit: supervise.ExitFindings}, failOn: string(finding.Error)}
	f.StringVar(&r.HTML, "report", "", "")
	f.StringVar(&r.JSON, "json", "", "")
	f.Var(choice{&r.failOn, []string{string(finding.Error), string(finding.Warning), string(supervise.FailOnPredicted)}}, "fail-on", "")
	f.IntVar(&r.ErrorExit, "error-exitcode", supervise.ExitFindings, "")
	f.Var(choice{&r.Color, []string{"auto", "always", "never"}}, "color", "")
	return r
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
