package whole

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/vocab/finding"
)

// TestGeneratedProgramsAreExplored writes random programs in C, explores them on a real MPI, and holds what comes of it
// to all runs that the reference knows: a deadlock that a match or missing buffering brings about is made to happen,
// and nothing is found where there is none. Some programs here, 200 with UNKNOT_NIGHTLY=1.
func TestGeneratedProgramsAreExplored(t *testing.T) {
	broken, sound := 4, 5
	seeds := slices.Values([]uint64{1, 3, 8, 11, 17, 19, 20, 23, 26, 39}) // whose explorations take few runs
	if testkit.Nightly() {
		broken, sound, seeds = 120, 80, between(1, math.MaxUint64)
	}
	unknot := buildUnknot(t)
	for seed := range seeds {
		if broken == 0 && sound == 0 {
			break
		}
		p := oracle.Generate(seed)
		if !p.Ends() {
			continue
		}
		weak, exact := oracle.Stuck(p, oracle.Legal{Weak: true})
		all, exact2 := oracle.Stuck(p, oracle.Legal{})
		if !exact || !exact2 || len(weak) == 0 && len(all) > 0 {
			continue // a collective would have to synchronise, which cannot be forced on an MPI
		}
		left := &sound
		if len(weak) > 0 {
			left = &broken
		}
		if *left == 0 {
			continue
		}
		*left--
		// a job of MPICH starts in half of the time
		mpi := testkit.Library([]string{"openmpi", "mpich", "mpich", "mpich"}[seed%4])
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) { explored(t, unknot, p, mpi, len(weak) > 0) })
	}
	if broken > 0 || sound > 0 {
		t.Errorf("%d programs too few that can hang, and %d that cannot", broken, sound)
	}
}

func explored(t *testing.T, unknot string, p *oracle.Program, mpi string, deadlocks bool) {
	run := exploreSource(t, unknot, p.Source(), mpi, len(p.Ranks), "--max-runs", "40")
	shown, told := false, false
	for _, f := range run.Findings {
		if f.Code == finding.Deadlock || f.Code == finding.DeadlockUnsafe {
			told = true
			shown = shown || f.Standing != finding.Predicted
		}
	}
	if deadlocks && !shown || !deadlocks && told {
		t.Errorf("deadlocks: shown %v, told %v, want %v\n%s\n%s", shown, told, deadlocks, p, run.Output)
	}
}
