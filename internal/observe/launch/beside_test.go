package launch

import (
	"slices"
	"strings"
	"testing"
)

func TestStepsOfAnAllocationDoNotWaitForEachOther(t *testing.T) {
	for _, c := range []struct {
		line, cpus string
		n          int
		want       string
	}{
		{"srun -N 2 -n 4 ./app x", "4(x2)", 1, "srun -N 2 -n 4 ./app x"},
		{"srun -N 2 -n 4 ./app x", "4(x2)", 2, "srun --exact --mem=0 -N 2 -n 4 ./app x"},
		{"srun -N 2 -n 4 ./app", "4(x2)", 3, "srun --overlap --mem=0 -N 2 -n 4 ./app"},
		{"srun -N 2 -n 4 ./app", "7,1", 2, "srun --overlap --mem=0 -N 2 -n 4 ./app"},
		{"srun -N 1 -n 4 ./app", "4(x2)", 2, "srun --exact --mem=0 -N 1 -n 4 ./app"},
		{"srun -N1 -n4 -c2 ./app", "4(x2)", 2, "srun --overlap --mem=0 -N1 -n4 -c2 ./app"},
		{"srun ./app", "2(x2)", 2, "srun --overlap --mem=0 ./app"}, // all 4 tasks of the job
		{"srun -n 2 ./app", "2(x2)", 2, "srun --exact --mem=0 -n 2 ./app"},
		{"srun -n 2 ./app", "", 2, "srun --overlap --mem=0 -n 2 ./app"},
		{"srun --gpus=1 -n 1 ./app", "8", 2, "srun --overlap --mem=0 --gpus=1 -n 1 ./app"},
		{"srun --exclusive --mem-per-cpu=1G -n 1 ./app", "8", 2, "srun --exclusive --mem-per-cpu=1G -n 1 ./app"},
		{"srun --exact --mem=0 -n 8 ./app", "8", 2, "srun --exact --mem=0 -n 8 ./app"},
		{"env A=1 srun -n 1 ./app", "8", 2, "env A=1 srun --exact --mem=0 -n 1 ./app"},
		{"srun -n 1 ./a : -n 1 ./b", "8", 2, "srun --overlap --mem=0 -n 1 ./a : --overlap --mem=0 -n 1 ./b"},
		{"srun --multi-prog -n 2 list", "8", 2, "srun --overlap --multi-prog -n 2 list"},
	} {
		env := []string{"SLURM_JOB_ID=7", "SLURM_NTASKS=4", "SLURM_JOB_CPUS_PER_NODE=" + c.cpus}
		j := slurmJob(t, c.line)
		if b := j.Beside(c.n, env); strings.Join(b.Argv, " ") != c.want || b.Steps != (c.n > 1) ||
			b.Tight != strings.Contains(c.want, "--overlap") {
			t.Errorf("%s, %d at a time on %q: %+v, want %s", c.line, c.n, c.cpus, b, c.want)
		}
	}
	hybrid := []string{"SLURM_JOB_ID=7", "SLURM_CPUS_PER_TASK=2", "SLURM_JOB_CPUS_PER_NODE=8"}
	if got, want := strings.Join(slurmJob(t, "srun -n 2 ./app").Beside(2, hybrid).Argv, " "),
		"srun --exact --cpus-per-task=2 --mem=0 -n 2 ./app"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	j := slurmJob(t, "srun -n 2 ./app")
	if b := j.Beside(2, nil); b.Steps || !slices.Equal(b.Argv, j.Argv) {
		t.Errorf("outside of an allocation: %+v", b)
	}
}

func slurmJob(t *testing.T, line string) *Job {
	t.Helper()
	argv := strings.Fields(line)
	j := &Job{Argv: argv, Family: Slurm, prefix: slices.Index(argv, "srun")}
	parsed, err := parseOptions(argv, j.prefix+1, Slurm)
	if err != nil {
		t.Fatal(err)
	}
	j.segments = parsed.segments
	return j
}

func TestJobsOfOpenMPIOnOneHostAreNotBoundToTheSameCores(t *testing.T) {
	j := &Job{Argv: []string{"mpirun", "./app"}, Family: OpenMPI}
	const policy = "OMPI_MCA_hwloc_base_binding_policy="
	if b := j.Beside(2, nil); !slices.Contains(b.Env, policy+"none") {
		t.Errorf("%v", b.Env)
	}
	if b := j.Beside(2, []string{policy + "core"}); slices.Contains(b.Env, policy+"none") {
		t.Errorf("the user's policy is overridden: %v", b.Env)
	}
	placed := []string{"mpirun", "--map-by", "slot:PE=2", "./app"}
	parsed, err := parseOptions(placed, 1, OpenMPI)
	if err != nil {
		t.Fatal(err)
	}
	if b := (&Job{Argv: placed, Family: OpenMPI, segments: parsed.segments}).Beside(2, nil); b.Env != nil {
		t.Errorf("the user's placement is overridden: %v", b.Env)
	}
	if b := j.Beside(1, nil); b.Env != nil {
		t.Errorf("one job at a time: %v", b.Env)
	}
}
