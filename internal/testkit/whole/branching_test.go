package whole

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/testkit"
	"unknot/internal/testkit/oracle/branching"
	"unknot/internal/testkit/oracle/seeds"
)

// TestProgramsThatBranchAreExplored writes random programs in C whose calls depend on what earlier calls gave, explores them on a real
// MPI, and holds what comes of it to all behaviours that the standard allows: nothing is called free that can hang, no deadlock is told
// that is none, each program that can hang is found to. 60 programs here, 2,000 with UNKNOT_NIGHTLY=1.
func TestProgramsThatBranchAreExplored(t *testing.T) {
	broken, sound, flows := 30, 30, 8
	if testkit.Nightly() {
		broken, sound, flows = 1200, 800, 200
	}
	from, to := seeds.Range(t, math.MaxUint64, math.MaxUint64)
	unknot := buildUnknot(t)
	for seed := from; seed <= to && (broken > 0 || sound > 0); seed++ {
		p := branching.Generate(seed)
		all := p.All(10000)
		if all.Wrong != "" || !all.Exhaustive || len(all.Flows) > flows && from != to {
			continue
		}
		left := &sound
		if all.Deadlock {
			left = &broken
		}
		if *left == 0 {
			continue
		}
		*left--
		mpi := []string{"openmpi", "mpich", "mpich", "mpich"}[seed%4] // a job of MPICH starts in a sixth of the time
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
			t.Parallel()
			exploredWhole(t, unknot, p, all, mpi, seed)
		})
	}
}

func exploredWhole(t *testing.T, unknot string, p *branching.Program, all branching.Behaviours, mpi string, seed uint64) {
	run := exploreSource(t, unknot, p.C(), mpi, len(p.Ranks), "--exhaustive", "--max-runs", "300")
	shown := false
	var wrong []string
	for i := range run.Findings {
		f := &run.Findings[i]
		stuck := f.Code == finding.Deadlock || f.Code == finding.Livelock || f.Code == finding.DeadlockUnsafe && f.Severity == finding.Error
		switch {
		case f.Severity == finding.Error && !stuck:
			wrong = append(wrong, fmt.Sprintf("%s: %s", f.Code, f.Sentence))
		case stuck && f.Severity == finding.Error && f.Standing != finding.Predicted:
			shown = true
		case stuck && f.Severity == finding.Error && !all.Deadlock && !all.OnlyStrict:
			wrong = append(wrong, "predicted as certain: "+f.Sentence)
		}
	}
	switch {
	case len(wrong) > 0:
	case run.Claim == finding.Free && (all.Deadlock || all.OnlyStrict):
		wrong = append(wrong, "called free")
	case shown && !all.Deadlock && !all.OnlyStrict:
		wrong = append(wrong, "a deadlock that is none")
	case all.Deadlock && !shown && !p.Cancels && !p.Polls:
		wrong = append(wrong, "no deadlock found")
	}
	if len(wrong) > 0 {
		t.Errorf("%s; all deadlocks: %v, strict only: %v\nUNKNOT_SEED=%d\n%s\n%s", strings.Join(wrong, "; "), all.Deadlocks, all.OnlyStrict, seed, p, run.Output)
	}
}
