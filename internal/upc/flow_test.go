//go:build !quick

package upc_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

const benchPrograms = "../../bench/upc/programs"

// flowPrograms are those with a pipeline of threads whose flags are relaxed.
func flowPrograms() []string { return []string{"bt", "lu", "sp"} }

// TestFlowProgramsAreVerified runs BT, LU and SP in UPC and in MPI: both get the same norms, with any number of threads.
func TestFlowProgramsAreVerified(t *testing.T) {
	testkit.TakesLong(t)
	for i, name := range flowPrograms() {
		for _, mpi := range testkit.Libraries(i) {
			t.Run(name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				dir, unknot := t.TempDir(), testkit.Unknot(t)
				source, warnings := filepath.Join(benchPrograms, name), []string{"-Wall", "-Wextra", "-Werror"}
				forms := map[string][]string{
					"upc": append([]string{unknot, "upcc", "--mpicc", "mpicc." + mpi, source + ".upc"}, warnings...),
					"mpi": append([]string{"mpicc." + mpi, "-std=gnu11", source + ".c"}, warnings...),
				}
				for form, command := range forms {
					program := filepath.Join(dir, form)
					command = append(command, "-O2", "-o", program, "-lm")
					if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					for _, threads := range []string{"1", "2", "4"} {
						out, err := jobOf(mpi, threads, program, "S")
						if err != nil || !strings.Contains(out, name+" class=S threads="+threads) ||
							!strings.Contains(out, " verified") {
							t.Errorf("%s with %s threads: %v\n%s", form, threads, err, out)
						}
					}
					const declined = "class S has 10 inner planes, so it runs with 1 to 5 threads, not with 6"
					if out, err := jobOf(mpi, "6", program, "S"); err == nil || !strings.Contains(out, declined) {
						t.Errorf("%s with 6 threads: %v\n%s", form, err, out)
					}
				}
			})
		}
	}
}

// jobOf is what a program says that a launcher starts.
func jobOf(mpi, threads, program string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	command := exec.CommandContext(ctx, "mpirun."+mpi, slices.Concat([]string{"-n", threads, program}, args)...)
	command.Env = testkit.Gently()
	out, err := command.CombinedOutput()
	return string(out), err
}

// flowRace is a race by the texts of its two lines, in their order.
func flowRace(t *testing.T, f *finding.Finding) string {
	t.Helper()
	var lines []string
	for _, p := range f.Places {
		text, err := os.ReadFile(filepath.Join(benchPrograms, filepath.Base(p.File)))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(strings.Split(string(text), "\n")[p.Line-1]))
	}
	slices.Sort(lines)
	return strings.Join(lines, " || ")
}

// handedOver are the lines that put a row into the memory of the next thread.
var handedOver = regexp.MustCompile(`upc_memput\(inboxes\[`)

// flowFlags are the races in the synchronisation itself.
func flowFlags(name string) []string {
	if name == "lu" {
		return []string{"lower[to][row] = f->turn; || while (lower[MYTHREAD][row] != f->turn)",
			"upper[to][row] = f->turn; || while (upper[MYTHREAD][row] != f->turn)"}
	}
	return []string{"flags[thread][flag] = turn; || while (flags[MYTHREAD][flag] != turn) {"}
}

// TestFlowProgramsRaceInTheirSynchronisation: with relaxed flags these race, and so does what they hand over, and
// nothing else. The threads of the former can meet, those of the latter cannot (which nightly tries). With
// strict flags there is no race.
func TestFlowProgramsRaceInTheirSynchronisation(t *testing.T) {
	testkit.TakesLong(t)
	for i, name := range flowPrograms() {
		mpi := testkit.Both()[i%len(testkit.Both())]
		t.Run(name+"/"+mpi, func(t *testing.T) {
			t.Parallel()
			path, dir := filepath.Join(benchPrograms, name+".upc"), t.TempDir()
			p := racing{name: name, threads: 2}
			few := []string{"-O1", "-DFLOW_STEPS=1", "-lm"}
			if found, exit := p.run(t, mpi, path, dir, append(few, "-DFLAGS=strict")...); exit != 0 ||
				len(found.Findings) > 0 {
				t.Errorf("with strict flags: exit status %d, %v", exit, found.Findings)
			}
			found, _ := p.run(t, mpi, path, dir, few...)
			flags := flowFlags(name)
			for i := range found.Findings {
				race := flowRace(t, &found.Findings[i])
				if at := slices.Index(flags, race); at >= 0 {
					flags = slices.Delete(flags, at, at+1)
				} else if !handedOver.MatchString(race) {
					t.Errorf("also told: %s", race)
				}
			}
			if len(flags) > 0 {
				t.Errorf("not told: %s", strings.Join(flags, "\n"))
			}
			for i := range found.Findings {
				flag := !handedOver.MatchString(flowRace(t, &found.Findings[i]))
				if !flag && !testkit.Nightly() {
					continue // threads are held for half a minute before that is given up
				}
				run, _ := p.confirm(t, mpi, dir, "--nth", strconv.Itoa(i+1))
				f := &run.Findings[0]
				if confirmed := f.Standing == finding.Confirmed; confirmed != flag {
					t.Errorf("%s: %s\n%s", f.Standing, f.Sentence, strings.Join(finding.Sentences(f.Notes), "\n"))
				}
			}
		})
	}
}
