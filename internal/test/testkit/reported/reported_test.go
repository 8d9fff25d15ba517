package reported

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/test/testkit/whole"
)

var update = flag.Bool("update", false, "write the grades of the programs that run to "+page)

// share is how many programs there are for one that `make test` runs.
const share = 16

// TestReportedFaultsAreAnswered runs programs with faults that people have reported, and their corrected forms, and
// holds the grades to those of docs/reported.md.
func TestReportedFaultsAreAnswered(t *testing.T) {
	programs, err := All("programs")
	if err != nil {
		t.Fatal(err)
	}
	grades, err := readPage()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	if *update {
		t.Cleanup(func() {
			if err := writePage(programs, grades); err != nil {
				t.Error(err)
			}
		})
	}
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	for turn, p := range programs {
		for _, mpi := range p.libraries(turn) {
			name := strings.TrimPrefix(p.Path, "programs/") + "/" + mpi
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for _, name := range p.Needs {
					if exec.Command("dpkg-query", "-W", name).Run() != nil {
						t.Skipf("the package %s is not installed", name)
					}
				}
				watched := watch(t, unknot, p, mpi)
				g, why := grade(p, mpi, watched)
				mu.Lock()
				defer mu.Unlock()
				if *update {
					grades[name] = g
				}
				if want := grades[name]; want != g {
					t.Errorf("%s, and %q on the page", g, want)
				}
				if g != Good {
					t.Logf("%s: %s\n%s", g, strings.Join(why, "; "), watched.Output)
				}
			})
		}
	}
}

// libraries are those that a program runs with: nightly all, else one for a part of the programs.
func (p *Program) libraries(turn int) []string {
	all := p.Libraries()
	switch {
	case testkit.Nightly() || *update:
		return all
	case len(p.Needs) > 0, turn%share != 0 && !testkit.Chosen():
		return nil
	case len(all) == 2:
		return testkit.LibrariesOfMany(turn / share)
	}
	return all
}

// watch runs a program under unknot, as a user does whose output is no terminal.
func watch(t *testing.T, unknot string, p *Program, mpi string) *Watched {
	t.Helper()
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	argv := slices.Concat([]string{unknot, "run", "--json", report}, p.Options,
		launch(p, mpi, compile(t, unknot, p, mpi)))
	settings := append(whole.Settings(dir), tape.Setting(dir))
	if p.shmem() {
		// docs/shmem.md: Open MPI 4.1 crashes in shmem_finalize otherwise
		settings = append(settings, "OMPI_MCA_memory=^patcher")
	}
	r, err := whole.Run(argv, dir, settings, 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Left) != 0 || r.TimedOut {
		t.Errorf("timed out: %v, processes left behind: %q", r.TimedOut, r.Left)
	}
	w := &Watched{Output: r.Output, Exit: r.Exit}
	if w.Run, err = whole.ReadRun(report); err != nil {
		t.Fatalf("%v: exit status %d, %v\n%s", argv, r.Exit, err, r.Output)
	}
	return w
}

// launch is the command line that starts a program's ranks.
func launch(p *Program, mpi string, program []string) []string {
	if p.OtherLauncher {
		other := map[string]string{"openmpi": "mpich", "mpich": "openmpi"}[mpi]
		return []string{"sh", "-c", fmt.Sprintf("mpirun.%s -n %s %s", other, p.Ranks, strings.Join(program, " "))}
	}
	return slices.Concat([]string{"mpirun." + mpi, "-n", p.Ranks}, program)
}

// compile builds a program and gives the command that runs it.
func compile(t *testing.T, unknot string, p *Program, mpi string) []string {
	t.Helper()
	path, err := filepath.Abs(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	words := append(whole.Lenient(filepath.Ext(path), mpi), p.Flags...)
	if p.shmem() {
		words[0] = "oshcc"
	}
	if p.By != nil {
		words = whole.ByUnknot([]string{unknot}, p.By[1:], words)
	}
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("unknot-reported-%d", os.Getuid()))
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	command, err := whole.CompileBy(words, whole.Program{Path: path, Text: p.text}, cache)
	if err != nil {
		t.Fatal(err)
	}
	return command
}
