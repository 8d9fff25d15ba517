//go:build !quick

package branching

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/probe"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/whole"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
)

// TestRealRunsAreBehaviours runs programs on both MPIs and has unknot record them: what each rank called, whom its
// receives met and what its calls reported is the beginning of a behaviour that is known, and so is each deadlock that
// is reported. Some programs here, many with UNKNOT_NIGHTLY=1.
func TestRealRunsAreBehaviours(t *testing.T) {
	testkit.NeedsMPI(t)
	programs := []*Program{FirstAnswer(), WhichFirst(), Persistent(), MatchedProbe()}
	generated := 4
	if testkit.Nightly() {
		programs, generated = Classics(), 300
	}
	for seed := uint64(1); generated > 0; seed++ {
		p := Generate(seed)
		if b := p.All(states); p.Polls && len(b.Deadlocks) > 0 {
			continue // it may poll forever while others are blocked, which nobody ends
		}
		generated--
		p.Name = fmt.Sprintf("seed %d", seed)
		programs = append(programs, p)
	}
	unknot := testkit.Unknot(t)
	for _, mpi := range []string{"openmpi", "mpich"} {
		// The probe is built before anything has a time limit.
		if _, err := probe.Build(t.Context(), probe.Options{MPICC: "mpicc." + mpi}); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range programs {
		// Both compile all of them; here one of the two runs each.
		for k, mpi := range []string{"openmpi", "mpich"} {
			t.Run(strings.ReplaceAll(p.Name, " ", "-")+"/"+mpi, func(t *testing.T) {
				program := compiled(t, p, mpi, "-g")
				if testkit.Nightly() || i%2 == k {
					realRun(t, unknot, p, mpi, program)
				}
			})
		}
	}
}

// TestProgramsInCHaveNoUndefinedBehaviour runs programs that cannot hang with sanitizers: they end well and print
// nothing. MPI libraries leak on purpose.
func TestProgramsInCHaveNoUndefinedBehaviour(t *testing.T) {
	testkit.NeedsMPI(t)
	want := 4
	if testkit.Nightly() {
		want = 200
	}
	for seed := uint64(1000); want > 0; seed++ {
		p := Generate(seed)
		if b := p.All(states); len(b.Deadlocks) > 0 {
			continue
		}
		mpi := []string{"openmpi", "mpich"}[want%2]
		want--
		t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
			program := compiled(t, p, mpi, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
			dir := t.TempDir()
			env := append(whole.Settings(dir), "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0")
			result, err := whole.Run(append(whole.Launcher(mpi, len(p.Ranks)), program), dir, env, 2*time.Minute)
			if err != nil || result.TimedOut || result.Exit != 0 || result.Output != "" {
				t.Errorf("%v, timed out: %v, exit status %d\n%s\n%s", err, result.TimedOut, result.Exit,
					result.Output, p)
			}
		})
	}
}

// compiled is the program, which compiles without a warning.
func compiled(t *testing.T, p *Program, mpi string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	source, out := filepath.Join(dir, sourceName), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(p.C()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"-std=c11", "-Wall", "-Wextra", "-Werror"}, flags, []string{"-o", out, source})
	if text, err := exec.Command("mpicc."+mpi, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, p)
	}
	return out
}

func realRun(t *testing.T, unknot string, p *Program, mpi, program string) {
	dir := t.TempDir()
	argv := slices.Concat([]string{unknot, "run", "--no-check=all", "--trace", "run.unk", "--json", "out.json"},
		whole.Launcher(mpi, len(p.Ranks)), []string{program})
	result, err := whole.Run(argv, dir, whole.Settings(dir), time.Minute)
	if err != nil || result.TimedOut {
		t.Fatalf("%v, timed out: %v\n%s\n%s", err, result.TimedOut, result.Output, p)
	}
	log, err := tracefile.Read(filepath.Join(dir, "run.unk"))
	if err != nil {
		t.Fatalf("%v\n%s", err, result.Output)
	}
	if err := p.Accepts(log, states); err != nil {
		t.Errorf("%v\n%s\n%s", err, FlowOf(log), p)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	var run finding.Run
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	b := p.All(states)
	for _, f := range run.Findings {
		if hangs(&f) && !b.has(f.Places) {
			t.Errorf("a deadlock that is not known:\n%s\nknown: %v\n%s", result.Output, b.Deadlocks, p)
		}
	}
	hung := slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return hangs(&f) })
	switch {
	case !hung && result.Exit != 0:
		t.Errorf("exit status %d\n%s\n%s", result.Exit, result.Output, p)
	case !hung && !b.Ends:
		t.Errorf("it has ended, which it cannot\n%s", p)
	}
}

// hangs says whether a finding is that the run has hung.
func hangs(f *finding.Finding) bool {
	return f.Code == finding.Deadlock && f.Standing == finding.Manifest || f.Code == finding.Livelock
}

// has says whether some known deadlock has ranks stuck at these places.
func (b *Behaviours) has(places []finding.Place) bool {
	for _, d := range b.Deadlocks {
		all := true
		for _, at := range places {
			all = all && (at.Call == "MPI_Finalize" || slices.ContainsFunc(d.Stuck, func(s Stuck) bool {
				return s.Rank == at.Rank && slices.ContainsFunc(s.Calls, func(c Place) bool {
					return c.Fn == at.Call &&
						c.Line == at.Line
				})
			}))
		}
		if all {
			return true
		}
	}
	return false
}
