package windows

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/seeds"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// TestConflictsOfRandomProgramsAreThoseOfTheOracle compiles random programs by unknot and runs them under it on both
// MPI libraries. What it reports are conflicts that the oracle knows, errors and warnings alike, with the lines of both
// accesses. Of each round in which there is one it reports one, unless there is a reason why it need not. 3 programs
// here, 200 with UNKNOT_NIGHTLY=1.
func TestConflictsOfRandomProgramsAreThoseOfTheOracle(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	var all tally
	from, to := seeds.Range(t, 3, 200)
	t.Run("seeds", func(t *testing.T) {
		for seed := from; seed <= to; seed++ {
			for _, mpi := range testkit.Both() {
				t.Run(fmt.Sprintf("%d/%s", seed, mpi), func(t *testing.T) {
					t.Parallel()
					p := Generate(seed)
					all.add(compare(t, unknot, mpi, p, []string{"-O0", "-O2", "-O3"}[seed%3]))
					if t.Failed() {
						t.Logf("repeat with: UNKNOT_SEED=%d", seed)
					}
				})
			}
		}
	})
	t.Log(all.String())
	if untold := all.sum(); to-from >= 2 && all.told < 2*untold {
		t.Errorf("%d rounds with a conflict are reported, and %d need not be: the programs show little",
			all.told, untold)
	}
}

// tally counts rounds.
type tally struct {
	lock              sync.Mutex
	silent, may, told int
	untold            map[Why]int
	errors, warnings  int // reports
}

func (a *tally) add(b *tally) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.silent, a.may, a.told, a.errors, a.warnings = a.silent+b.silent, a.may+b.may, a.told+b.told, a.errors+b.errors,
		a.warnings+b.warnings
	for why, n := range b.untold {
		if a.untold == nil {
			a.untold = make(map[Why]int)
		}
		a.untold[why] += n
	}
}

func (a *tally) sum() (n int) {
	for _, more := range a.untold {
		n += more
	}
	return n
}

func (a *tally) String() string {
	var why []string
	for w, n := range a.untold {
		why = append(why, fmt.Sprintf("%d because of %s", n, w))
	}
	slices.Sort(why)
	return fmt.Sprintf("rounds: %d without a conflict, %d with one that depends on the order of locks or on how the "+
		"standard is read, %d reported, by %d errors and %d warnings in all, %d not: %s",
		a.silent, a.may, a.told, a.errors, a.warnings, a.sum(), strings.Join(why, ", "))
}

// compare runs a program and holds what is reported to the oracle.
func compare(t *testing.T, unknot, mpi string, p *Program, optimise string) *tally {
	text, acts := p.Source()
	run := watch(t, unknot, mpi, text, p.Ranks, optimise)
	count := &tally{untold: make(map[Why]int)}
	told := make([][]Place, len(p.Rounds))
	for i := range run.Findings {
		f := &run.Findings[i]
		places := namedBy(f, acts)
		if f.Code != "rma-conflict" || len(places) != 2 || places[0].Round != places[1].Round {
			t.Errorf("unexpected %s: %s %v\n%v", f.Code, f.Sentence, finding.Sentences(f.Notes), places)
			continue
		}
		n := places[0].Round
		if !slices.ContainsFunc(p.Conflicts(n), func(x Pair) bool {
			return x.A == places[0].Step &&
				x.B == places[1].Step
		}) {
			wrong(t, p, n, fmt.Sprintf("steps %d and %d do not conflict, but there is the %s: %s", places[0].Step,
				places[1].Step, f.Severity, f.Sentence))
		}
		told[n] = append(told[n], places...)
		if f.Severity == finding.Error {
			count.errors++
		} else {
			count.warnings++
		}
	}
	for n := range p.Rounds {
		all := p.Conflicts(n)
		certain := slices.DeleteFunc(slices.Clone(all), func(x Pair) bool { return x.May })
		// One conflict of each call is reported.
		reported := slices.ContainsFunc(certain, func(x Pair) bool {
			return slices.Contains(told[n], Place{n, x.A}) || slices.Contains(told[n], Place{n, x.B})
		})
		switch {
		case len(all) == 0:
			count.silent++
		case len(certain) == 0:
			count.may++
		case reported:
			count.told++
		default:
			why := Why("")
			for _, x := range certain {
				if why = p.Rounds[n].Untold(x); why == "" {
					wrong(t, p, n, fmt.Sprintf("steps %d and %d conflict, and nothing is reported", x.A, x.B))
					break
				}
			}
			if why != "" {
				count.untold[why]++
			}
		}
	}
	return count
}

// wrong says what is wrong with a round, and shows it as a separate program.
func wrong(t *testing.T, p *Program, n int, what string) {
	t.Helper()
	text, _ := (&Program{Ranks: p.Ranks, Rounds: p.Rounds[n : n+1]}).Source()
	t.Errorf("round %d: %s\n%s\n%s", n, what, &p.Rounds[n], text)
}

// watch compiles and runs a program.
func watch(t *testing.T, unknot, mpi, text string, ranks int, optimise string) (run finding.Run) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, File), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command(unknot, "mpicc", "--mpicc=mpicc."+mpi, "-g", optimise, "-Wall", "-Werror", "-o",
		"rounds", File)
	compile.Dir = dir
	if said, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	argv := slices.Concat([]string{unknot, "run", "--accesses=all", "--json", "out.json"}, whole.Launcher(mpi, ranks),
		[]string{"./rounds"})
	r, err := whole.Run(argv, dir, whole.Settings(dir), 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if run, err = whole.ReadRun(filepath.Join(dir, "out.json")); err != nil {
		t.Fatalf("%v\n%s", err, r.Output)
	}
	if !run.Complete || run.Ranks != ranks {
		t.Errorf("%d ranks were watched, complete: %v (%s)\n%s", run.Ranks, run.Complete, run.Why, r.Output)
	}
	return run
}

var noted = regexp.MustCompile(`\(` + regexp.QuoteMeta(File) + `:(\d+)\)`)

// namedBy are the acts that a finding names, in the order of the program.
func namedBy(f *finding.Finding, acts map[int]Place) (out []Place) {
	var lines []int
	for _, p := range f.Places {
		lines = append(lines, p.Line)
	}
	for _, n := range f.Notes {
		for _, m := range noted.FindAllStringSubmatch(n.Text, -1) {
			line, _ := strconv.Atoi(m[1])
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if a, is := acts[line]; is {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b Place) int { return a.Step - b.Step })
	return out
}
