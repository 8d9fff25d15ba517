package whole

import (
	"os"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestWhatAForcedRunShowsCounts explores programs that hang in another run than the first one only, in ways that a
// replay could be thought not to show.
func TestWhatAForcedRunShowsCounts(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		for turn, c := range []struct {
			file       string
			code       finding.Code
			rank, line int
			without    string // what the report does not say
		}{
			// A receive from any source was overtaken by a later one, and the replay does not tell whether it had met
			// its message. Its sender had sent it, so that MPI can make that run; and so it is no near miss.
			{"open.c", finding.Deadlock, 2, 25, "nearest miss"},
			// In which order threads call MPI is not the plan's to say.
			{"beside.c", finding.Deadlock, 0, 36, "refuted"},
			// A rank does not wait, but polls.
			{"polled.c", finding.Livelock, 0, 14, "refuted"},
		} {
			if !hasTurn(mpi, turn) {
				continue
			}
			source, err := os.ReadFile("testdata/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			run := exploreSource(t, unknot, string(source), mpi, 3)
			there := func(p finding.Place) bool { return p.Rank == c.rank && p.Line == c.line }
			if !strings.HasPrefix(run.Verdict, "not free: ") || !slices.ContainsFunc(run.Findings,
				func(f finding.Finding) bool {
					return f.Code == c.code && f.Standing != finding.Predicted && slices.ContainsFunc(f.Places, there)
				}) {
				t.Errorf("%s: want a %s that was shown at line %d of rank %d\n%s", c.file, c.code, c.line,
					c.rank, run.Output)
			}
			if strings.Contains(run.Output, c.without) {
				t.Errorf("%s: the report says %q\n%s", c.file, c.without, run.Output)
			}
		}
	})
}
