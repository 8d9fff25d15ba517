package explain

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// TestTheLowestKnownRankSpeaksForCallsOutsideOfMPI also has processes of which no rank is known.
func TestTheLowestKnownRankSpeaksForCallsOutsideOfMPI(t *testing.T) {
	for _, c := range []struct {
		when     string
		ranks    []int
		sentence string
		of       string
	}{
		{"before", []int{finding.NoRank}, "A process calls MPI_Send before MPI is initialised.", "[]"},
		{"before", []int{finding.NoRank, 2, 5}, "Rank 2 calls MPI_Send before MPI is initialised.", "[2 5]"},
		{"after", []int{0}, "Rank 0 calls MPI_Send after MPI_Finalize.", "[0]"},
		{"again", []int{3}, "Rank 3 calls MPI_Send again: MPI is already initialised.", "[3]"},
		{"beside", []int{3}, "Rank 3 calls MPI_Send while another of its threads is in it.", "[3]"},
	} {
		o := message.Outside{When: c.when, Function: "MPI_Send", Count: 4}
		for _, r := range c.ranks {
			o.Places = append(o.Places, finding.Place{Rank: r})
		}
		f := Outside(&o)
		if f.Sentence != c.sentence || fmt.Sprint(f.Ranks) != c.of || f.Count != 4 || len(f.Places) != len(c.ranks) {
			t.Errorf("%s %v: %+v", c.when, c.ranks, f)
		}
	}
}

// TestWhoFreesTooLateReadsWhereMPIWasFinalised and that nothing was forgotten.
func TestWhoFreesTooLateReadsWhereMPIWasFinalised(t *testing.T) {
	o := message.Outside{When: "after", Function: "MPI_Type_free", Frees: mpi.OType,
		Finalized: finding.Frame{Function: "main", File: "a.cpp", Line: 24}}
	f := Outside(&o)
	if want := "it is freed, but only after MPI_Finalize: end the life of what holds it before, in C++ in a " +
		"block around it"; f.Hint != want {
		t.Errorf("hint %q, want %q", f.Hint, want)
	}
	if got, want := fmt.Sprint(finding.Sentences(f.Notes)),
		"[MPI was finalised by MPI_Finalize at main (a.cpp:24)]"; got != want {
		t.Errorf("notes %s, want %s", got, want)
	}
	o.Frees, o.Function = mpi.NoObject, "MPI_Send"
	if f := Outside(&o); strings.Contains(f.Hint, "freed") {
		t.Errorf("a send: %q", f.Hint)
	}
}
