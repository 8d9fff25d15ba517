package explain

import (
	"fmt"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/message"
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
