package check_test

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// A wrong use that the checks of another rank found arrives whole on another host.
func TestWhatIsFoundIsTheSameBehindALink(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	put, open := table.ByName("MPI_Put"), table.ByName("MPI_File_open")
	const code finding.Code = "rma-race"
	watch := check.New(table, objects.Follow(table), map[finding.Code]bool{code: true}, nil)
	call := check.Past{Fn: put, Site: 0x401000, Thread: 2, Words: [12]uint64{1, 1 << 60, 3}, N: 3}
	watch.Tell(1, code, &call, 2, func() check.Words {
		return check.Words{Sentence: finding.Wordf("a %d", 1), Notes: []finding.Note{{Text: "b"},
			{Label: finding.SentBy + " rank 1", Text: "c"}}, Hint: "d",
			Related:   []check.Related{{Text: "e"}, {Label: finding.OtherCall, Text: "f", Func: put, Site: 1}},
			Elsewhere: []check.Elsewhere{{Related: check.Related{Text: "g", Func: open, Site: 2}, Rank: 4}},
			Severity:  finding.Warning}
	})
	if len(watch.Notes) != 1 || watch.Notes[0].To != 1 {
		t.Fatalf("notes %+v, want one to rank 1", watch.Notes)
	}
	feed.Travels(t, table, watch.Notes[0], func() []check.Body { return nil })
}
