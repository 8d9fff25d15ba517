package whole

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// TestTheIterationThatHangsIsNamed has a loop hang in an iteration that nobody can guess, nightly behind up to 10^9
// calls, most of which are left out as they repeat others. The report names the calls and the iteration, and memory
// does not grow with the loop.
func TestTheIterationThatHangsIsNamed(t *testing.T) {
	most := 50_000
	if testkit.Nightly() {
		most = 240_000_000 // two ranks, two calls and a twelfth each
	}
	const memory = 256 << 10 // KiB
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "iteration.c", 2)
		at := most - 1 - rand.N(most/10)
		report := filepath.Join(r.dir, "out.json")
		argv := slices.Concat([]string{unknot, "run", "--json", report}, Launcher(mpi, 2), r.program,
			[]string{fmt.Sprint(most), fmt.Sprint(at)})
		result, err := Run(argv, r.dir, Settings(r.dir), time.Hour)
		if err != nil || result.TimedOut {
			t.Fatalf("%v, timed out: %v\n%s", err, result.TimedOut, result.Output)
		}
		run, err := ReadRun(report)
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Findings) != 1 || run.Findings[0].Code != "deadlock" {
			t.Fatalf("want a deadlock\n%s", result.Output)
		}
		for _, p := range run.Findings[0].Places {
			if line := 15 + 2*p.Rank; p.Call != "MPI_Recv" || p.Line != line || p.Nth != at+1 {
				t.Errorf("rank %d: %s in line %d, call %d of it, want MPI_Recv in line %d, call %d", p.Rank, p.Call,
					p.Line, p.Nth, line, at+1)
			}
		}
		if calls := 4*uint64(at) + uint64(at/12)*2 + 3; run.Calls < calls {
			t.Errorf("%d calls are counted, there are at least %d", run.Calls, calls)
		}
		if want := fmt.Sprintf("at main (iteration.c:15), the %s time",
			grouped(finding.Ordinal(at+1))); !strings.Contains(result.Output, want) {
			t.Errorf("want %q in\n%s", want, result.Output)
		}
		if result.Peak > memory {
			t.Errorf("%d KiB were used, want at most %d", result.Peak, memory)
		}
	})
}

// grouped has commas in a number of more than three digits, with two letters behind it.
func grouped(ordinal string) string {
	for i := len(ordinal) - 2 - 3; i > 0; i -= 3 {
		ordinal = ordinal[:i] + "," + ordinal[i:]
	}
	return ordinal
}
