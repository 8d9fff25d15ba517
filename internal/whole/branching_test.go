package whole

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/finding"
	"unknot/internal/oracle/branching"
)

// TestProgramsThatBranchAreExplored writes random programs in C whose calls depend on what earlier calls gave, explores them on a real
// MPI, and holds what comes of it to all behaviours that the standard allows: nothing is called free that can hang, no deadlock is told
// that is none, each program that can hang is found to. 60 programs here, 2,000 with UNKNOT_NIGHTLY=1.
func TestProgramsThatBranchAreExplored(t *testing.T) {
	broken, sound := 30, 30
	if os.Getenv("UNKNOT_NIGHTLY") == "1" {
		broken, sound = 1200, 800
	}
	seed := uint64(1)
	if text := os.Getenv("UNKNOT_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed, broken, sound = n, 1, 1
	}
	unknot := buildUnknot(t)
	for only := broken+sound == 2; broken > 0 || sound > 0; seed++ {
		p := branching.Generate(seed)
		all := p.All(10000)
		flows := len(all.Flows)
		if all.Wrong != "" || !all.Exhaustive || flows > 8 && os.Getenv("UNKNOT_NIGHTLY") != "1" || flows > 200 {
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
		if only {
			broken, sound = 0, 0
		}
		mpi := []string{"openmpi", "mpich"}[seed%2]
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
			t.Parallel()
			exploredWhole(t, unknot, p, all, mpi, seed)
		})
	}
}

func exploredWhole(t *testing.T, unknot string, p *branching.Program, all branching.Behaviours, mpi string, seed uint64) {
	dir := keptDir(t, "unknot-branching-")
	source := filepath.Join(dir, "program.c")
	if err := os.WriteFile(source, []byte(p.C()), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("mpicc."+mpi, "-g", "-w", "-o", filepath.Join(dir, "program"), source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	argv := slices.Concat([]string{unknot, "explore", "--exhaustive", "--json", "out.json", "--state", "state", "--max-runs", "300"},
		Launcher(mpi, len(p.Ranks)), []string{"./program"})
	r, err := Run(argv, dir, Settings(dir), 30*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Output)
	}
	var run finding.Run
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
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
		t.Errorf("%s; all deadlocks: %v, strict only: %v\nUNKNOT_SEED=%d\n%s\n%s\n%s", strings.Join(wrong, "; "), all.Deadlocks, all.OnlyStrict, seed, p,
			strings.TrimSpace(r.Output), repeat(dir, argv))
	}
}
