package report

import (
	"slices"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestLibrariesOnTheWayAreFolded(t *testing.T) {
	library := func(name, function string) finding.Frame {
		return finding.Frame{Function: function, Module: "/usr/lib/lib.so", Library: name}
	}
	user := func(function string, line int) finding.Frame {
		return finding.Frame{Function: function, File: "a.c", Line: line}
	}
	p := finding.Place{Frame: user("save", 5), Stack: []finding.Frame{library("HDF5", "H5FD_write"),
		library("HDF5", "H5Dwrite"), library("netCDF", "nc_put"),
		user("save", 5), user("compare", 9), library("the C library", "msort"), library("the C library", "qsort"),
		user("main", 20)}}
	within, callers := split(&p)
	names := shortNames{}
	if got := names.through(within); got != "in netCDF: nc_put, HDF5: H5Dwrite" {
		t.Errorf("the way to the call is %q", got)
	}
	var got []string
	for _, c := range names.calledFrom(callers) {
		got = append(got, c.text)
	}
	if want := []string{"compare (a.c:9)", "qsort in the C library",
		"main (a.c:20)"}; !slices.Equal(got, want) {
		t.Errorf("called from %q, want %q", got, want)
	}
}

// TestCallersOfAFrameworkAreCounted has a test framework call the user's code by its own functions and those of another
// library in turns.
func TestCallersOfAFrameworkAreCounted(t *testing.T) {
	library := func(name string) caller { return caller{name, finding.Frame{Library: name}} }
	user := caller{"run (a.py:9)", finding.Frame{}}
	for _, c := range []struct {
		lines      []caller
		kept, more int
	}{
		{nil, 0, 0},
		{[]caller{user}, 1, 0},
		{[]caller{user, library("_pytest")}, 2, 0},
		{[]caller{library("_pytest"), user, library("_pytest"), library("pluggy"), library("_pytest")}, 3, 2},
		{[]caller{library("_pytest"), library("pluggy"), library("_pytest")}, 1, 2},
	} {
		kept, more := upToOwn(c.lines)
		if len(kept) != c.kept || more != c.more {
			t.Errorf("%v: %d are kept and %d counted, want %d and %d", c.lines, len(kept), more, c.kept, c.more)
		}
	}
}

func TestOnlyTheUsersCodeIsToBeCompiledWithLines(t *testing.T) {
	for library, want := range map[string]bool{"": true, "HDF5": false} {
		run := finding.Run{
			Findings: []finding.Finding{
				{Places: []finding.Place{{Frame: finding.Frame{Function: "f", Module: "x", Library: library}}}}}}
		if got := withoutLines(&run); got != want {
			t.Errorf("with code of %q the hint is given: %v", library, got)
		}
	}
}
