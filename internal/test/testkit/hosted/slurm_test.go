//go:build !quick

package hosted

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// srun starts a job of a library, by the PMI that Debian's libraries have.
func srun(mpi string) []string {
	if mpi == "mpich" {
		return []string{"srun", "-N", "2", "-n", "4", "--mpi=pmi2"}
	}
	return []string{"srun", "-N", "2", "-n", "4", "--mpi=pmix"}
}

func TestJobsOfSlurmAreWatched(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{Slurm: true})
	for _, mpi := range testkit.Both() {
		program := s.Compile(t, "testdata/phases.c", mpi)
		gate := filepath.Join(s.Dir, "open")
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(mpi+"/srun", func(t *testing.T) {
			o := s.Run(t, nil, slices.Concat(srun(mpi), program, []string{gate})...)
			if o.Exit != 0 || !strings.Contains(o.Output, "phase 2 is over") || len(o.Run.Findings) > 0 ||
				!o.Run.Complete {
				t.Errorf("exit status %d, complete %v %s\n%s", o.Exit, o.Run.Complete, o.Run.Why, o.Output)
			}
			if want := "node1 node2"; strings.Join(o.Run.Hosts, " ") != want {
				t.Errorf("hosts %v, want %s", o.Run.Hosts, want)
			}
			s.Clean(t)
		})
		t.Run(mpi+"/srun/hang", func(t *testing.T) {
			o := s.Run(t, nil, slices.Concat(srun(mpi), program, []string{gate, "hang"})...)
			if o.Exit != 66 || len(o.Run.Findings) != 1 || o.Run.Findings[0].Code != finding.Deadlock ||
				!slices.Equal(o.Run.Findings[0].Ranks, []int{0, 1}) {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			s.Clean(t)
		})
		t.Run(mpi+"/sbatch", func(t *testing.T) {
			script, output := filepath.Join(s.Dir, mpi+".sh"), filepath.Join(s.Dir, mpi+".out")
			launch := append([]string{s.Unknot, "run"}, srun(mpi)...)
			text := "#!/bin/bash\nexec " + strings.Join(slices.Concat(launch, program, []string{gate, "hang"}), " ") +
				"\n"
			if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
			submit := s.Host("front").Command(t.Context(), s.environment(), "sbatch", "--wait", "-N", "2", "-n", "4",
				"-o", output, script)
			if err := submit.Run(); err == nil || submit.ProcessState.ExitCode() != 66 {
				t.Errorf("exit status %d, want 66", submit.ProcessState.ExitCode())
			}
			if text, err := os.ReadFile(output); err != nil || !strings.Contains(string(text),
				"Ranks 0 and 1 wait for each other") {
				t.Errorf("%v\n%s", err, text)
			}
			s.Clean(t)
		})
	}
}
