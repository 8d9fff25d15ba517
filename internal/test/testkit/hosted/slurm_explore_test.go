//go:build !quick

package hosted

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestAnAllocationIsExploredByStepsAtATime explores a program in allocations of Slurm that have room for two steps
// beside each other, and in some that have not, one of both with each MPI library, nightly both. Its runs wait for each
// other: with one step at a time none would find another, and each would take a minute.
func TestAnAllocationIsExploredByStepsAtATime(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{Slurm: true})
	all := []room{{"8", "up to 2 runs at a time, as steps of the allocation"},
		{"4", "as steps that share the CPUs of the allocation"}}
	for i, mpi := range testkit.Both() {
		some, interrupted := all[i:i+1], i == 0
		if testkit.Nightly() {
			some, interrupted = all, true
		}
		program := s.Compile(t, "testdata/beside.c", mpi)
		t.Run(mpi, func(t *testing.T) {
			one := s.exploration(t, "8", "1", slices.Concat(srun(mpi), program))
			if one.run.Claim != finding.Free || one.met || strings.Contains(one.said, "at a time") {
				t.Fatalf("met %v\n%s", one.met, one.said)
			}
			for _, r := range some {
				two := s.exploration(t, r.tasks, "2", slices.Concat(srun(mpi), program))
				if !two.met || !strings.Contains(two.said, r.how) {
					t.Errorf("%s tasks: no two steps were there at a time\n%s", r.tasks, two.said)
				}
				// That runs find each other by files is something else that ranks act on than MPI: both have another
				// run's access and creation.
				found := regexp.MustCompile(`rank 0 looks at the file (together|first\.over) by access \(beside\.c:`)
				if a, b := two.run.Coverage, one.run.Coverage; a.Runs != b.Runs || a.Flows != b.Flows ||
					!found.MatchString(two.run.Verdict) {
					t.Errorf("%s tasks: %s, beside %s", r.tasks, two.run.Verdict, one.run.Verdict)
				}
			}
		})
		if !interrupted {
			continue
		}
		t.Run(mpi+"/interrupted", func(t *testing.T) {
			dir := filepath.Join(s.Dir, "interrupted-"+mpi)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			state := filepath.Join(dir, "state")
			cmd := s.allocated(t, "8", slices.Concat([]string{"explore", "--parallel", "2", "--state", state},
				srun(mpi), program, []string{dir, "stay"}))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(filepath.Join(dir, "together")); err == nil {
					break
				}
				if time.Now().After(end) {
					t.Fatal("no two steps were there at a time")
				}
			}
			// salloc hands it on to what it has started.
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // ended by a signal
			s.Clean(t)
			if _, err := os.Stat(filepath.Join(state, "runs")); err == nil {
				t.Error("what the runs have written is left behind")
			}
		})
	}
}

// room is an allocation of so many tasks, and how the runs of an exploration are said to have it.
type room struct{ tasks, how string }

// explorationOf is what came of an exploration.
type explorationOf struct {
	run  finding.Run
	met  bool // two runs found each other
	said string
}

// exploration explores a program in an allocation of so many tasks on two nodes, with so many runs at a time.
func (s *Site) exploration(t *testing.T, tasks, parallel string, command []string) explorationOf {
	t.Helper()
	dir, err := os.MkdirTemp(s.Dir, "beside-")
	if err != nil {
		t.Fatal(err)
	}
	if parallel == "1" {
		if err := os.WriteFile(filepath.Join(dir, "alone"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "out.json")
	argv := slices.Concat([]string{"explore", "--exhaustive", "--parallel", parallel, "--state",
		filepath.Join(dir, "state"), "--json", path}, command, []string{dir})
	text, err := s.allocated(t, tasks, argv).CombinedOutput()
	o := explorationOf{said: strings.Join(strings.Fields(string(text)), " ")}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	report, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(report, &o.run); err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(dir, "together"))
	o.met = err == nil
	s.Clean(t)
	return o
}

// allocated runs unknot on the first host in an allocation of so many tasks, as many on each of two nodes.
func (s *Site) allocated(t *testing.T, tasks string, argv []string) *exec.Cmd {
	salloc := []string{"salloc", "-N", "2", "-n", tasks, "--ntasks-per-node",
		map[string]string{"8": "4", "4": "2"}[tasks], s.Unknot}
	return s.Host("front").Command(t.Context(), s.environment(), slices.Concat(salloc, argv)...)
}
