package report

import (
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// split parts the stack of a place at the call site that is shown: what libraries stand between that and MPI, and who
// has called it. Nothing is left of a stack that tells no more than the call site.
func split(p *finding.Place) (within, callers []finding.Frame) {
	at := slices.Index(p.Stack, p.Frame)
	if at < 0 {
		return nil, p.Stack
	}
	return p.Stack[:at], p.Stack[at+1:]
}

// through names the libraries by which the call site reaches its call, the one that it calls first, and by which
// function: "in HDF5: H5Dwrite".
func (n shortNames) through(within []finding.Frame) string {
	var parts []string
	for i := len(within) - 1; i >= 0; i-- {
		f := within[i]
		if f.Library == "" || i+1 < len(within) && within[i+1].Library == f.Library {
			continue
		}
		part := f.Library
		if f.Function != "" {
			part += ": " + f.Function
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "in " + strings.Join(parts, ", ")
}

// caller is one of a call site, in words.
type caller struct {
	text string
	at   finding.Frame
}

// calledFrom are the callers of a call site, one line each. Of a library only the function is named that the next
// caller has called.
func (n shortNames) calledFrom(callers []finding.Frame) []caller {
	var lines []caller
	say := func(text string, at finding.Frame) { lines = append(lines, caller{text, at}) }
	for i, f := range callers {
		switch {
		case f.Library == "":
			say(n.at(f), f)
		case i+1 < len(callers) && callers[i+1].Library == f.Library:
		case f.Function == "":
			say(f.Library, f)
		default:
			say(f.Function+" in "+f.Library, f)
		}
	}
	return lines
}

// upToOwn are the callers up to the first beyond the user's code, and how many are left out: those of a framework that
// runs the user's code say nothing about it.
func upToOwn(lines []caller) (kept []caller, more int) {
	n := len(lines)
	for n > 1 && lines[n-1].at.Library != "" && lines[n-2].at.Library != "" {
		n--
	}
	return lines[:n], len(lines) - n
}

// withoutLines says whether some of the user's own code in a run is known by address only, as it has no debug
// information.
func withoutLines(run *finding.Run) bool {
	for _, f := range run.Findings {
		for i := range f.Places {
			p := &f.Places[i]
			if p.File == "" && (p.Module != "" || p.Function != "") && p.Library == "" {
				return true
			}
		}
	}
	return false
}
