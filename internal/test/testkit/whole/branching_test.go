package whole

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/branching"
	"unknot/internal/test/testkit/oracle/seeds"
	"unknot/internal/vocab/finding"
)

// short are the seeds of programs with few control flows whose explorations take few runs: 13 that can hang, 30 that
// cannot. Few of them poll: whether a poll continues forever takes two seconds to tell. TestRandomPrograms of
// explore/known logs how many runs the program of each seed takes, without MPI, and whether it polls.
func short() []uint64 {
	return []uint64{
		1, 29, 114, 120, 124, 149, 156, 162, 178, 200, 224, 234, 263,
		3, 7, 10, 15, 24, 28, 37, 45, 57, 60, 65, 80, 84, 91, 96, 112, 116, 126, 129, 130, 134, 140, 142, 146, 175, 192,
		198, 205, 254, 260,
	}
}

// TestProgramsThatBranchAreExplored writes random programs in C whose calls depend on what earlier calls gave, explores
// them on a real MPI, and holds what comes of it to all behaviours that the standard allows: nothing is called free
// that can hang, no false deadlock is reported, each program that can hang is found to. 43 programs here, 2,000 of
// any length with UNKNOT_NIGHTLY=1.
func TestProgramsThatBranchAreExplored(t *testing.T) {
	broken, sound, flows, openmpi := 13, 30, 8, uint64(10) // a job of MPICH starts in half of the time
	if testkit.Nightly() {
		broken, sound, flows, openmpi = 1200, 800, 200, 4
	}
	from, to := seeds.Range(t, 0, math.MaxUint64)
	tried := slices.Values(short())
	if from <= to {
		tried = between(from, to)
	}
	unknot := buildUnknot(t)
	for seed := range tried {
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
		mpi := "mpich"
		if seed%openmpi == 0 {
			mpi = "openmpi"
		}
		mpi = testkit.Library(mpi)
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
			t.Parallel()
			exploredWhole(t, unknot, p, all, mpi, seed)
		})
		if broken == 0 && sound == 0 {
			return
		}
	}
	if from > to {
		t.Errorf("%d programs too few that can hang, and %d that cannot; hint: choose other seeds with `go test -v "+
			"./internal/explore/known -run RandomPrograms`", broken, sound)
	}
}

// between are the seeds from one to another.
func between(from, to uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for seed := from; seed <= to && yield(seed); seed++ {
		}
	}
}

func exploredWhole(t *testing.T, unknot string, p *branching.Program, all branching.Behaviours, mpi string,
	seed uint64) {
	run, wrong := exploredBy(t, unknot, p, all, mpi)
	if slices.Equal(wrong, []string{missed}) && run.Coverage != nil && run.Coverage.Diverged > 0 {
		// A deadlock may need that a collective does not wait for ranks for which this library waits: MPICH 4.0 has the
		// root of the first MPI_Bcast of a communicator wait for another rank. It says that runs could not be forced,
		// and the other library shows the deadlock.
		other := "mpich"
		if mpi == other {
			other = "openmpi"
		}
		run, wrong = exploredBy(t, unknot, p, all, other)
	}
	if len(wrong) > 0 {
		t.Errorf("%s; all deadlocks: %v, strict only: %v\nUNKNOT_SEED=%d\n%s\n%s", strings.Join(wrong, "; "),
			all.Deadlocks, all.OnlyStrict, seed, p, run.Output)
	}
}

const missed = "no deadlock found"

// exploredBy explores a program with a library, and says what is wrong with what comes of it.
func exploredBy(t *testing.T, unknot string, p *branching.Program, all branching.Behaviours,
	mpi string) (run exploration, wrong []string) {
	runs := "300"
	// --exhaustive does not claim to find all of its deadlocks, and each run that polls forever takes long
	if p.Polls {
		runs = "50"
	}
	run = exploreSource(t, unknot, p.C(), mpi, len(p.Ranks), "--exhaustive", "--max-runs", runs,
		"--livelock-timeout", "2s")
	shown := false
	for i := range run.Findings {
		f := &run.Findings[i]
		stuck := f.Code == finding.Deadlock || f.Code == finding.Livelock || f.Code == finding.DeadlockUnsafe &&
			f.Severity == finding.Error
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
		wrong = append(wrong, missed)
	}
	return run, wrong
}
