//go:build !quick

package hosts

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// asRoot are the settings that Open MPI needs as root, and with more ranks than cores.
var asRoot = []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
	"OMPI_MCA_rmaps_base_oversubscribe=1"}

// hello compiles a program for both libraries, whose four ranks say where they are, into a directory.
func hello(t *testing.T, dir string) {
	t.Helper()
	for _, mpi := range testkit.Both() {
		cmd := exec.Command("mpicc."+mpi, "-o", filepath.Join(dir, mpi), "testdata/hello.c")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", cmd.Args, err, text)
		}
	}
}

// greet runs a job of hello on the front host; its ranks must be on two nodes, two on each, and have found each other.
func greet(t *testing.T, c *Cluster, env []string, argv ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := c.Host("front").Command(ctx, slices.Concat(asRoot, env), argv...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", argv, err, text)
	}
	on := make(map[string]int)
	var ranks []int
	for line := range strings.Lines(string(text)) {
		var name string
		var rank int
		if _, err := fmt.Sscanf(line, "%s rank %d of 4, sum 6", &name, &rank); err == nil {
			on[name]++
			ranks = append(ranks, rank)
		}
	}
	slices.Sort(ranks)
	if !slices.Equal(ranks, []int{0, 1, 2, 3}) || on["node1:"] != 2 || on["node2:"] != 2 {
		t.Errorf("%q: %s", argv, text)
	}
	for _, h := range c.Hosts() {
		eventually(t, "nothing of the job runs on "+h.Name(), func() bool { return len(h.Processes()) == 0 })
		if left := h.Files("/dev/shm"); len(left) > 0 {
			t.Errorf("%q: left in /dev/shm of %s: %q", argv, h.Name(), left)
		}
	}
}

func TestJobsOfBothLibrariesRunOnTwoHosts(t *testing.T) {
	dir := t.TempDir()
	hello(t, dir)
	preload := []string{"LD_PRELOAD=" + Finalize(t, dir)}
	c := New(t, Options{Shared: []string{dir}})
	t.Run("openmpi", func(t *testing.T) {
		greet(t, c, nil, "mpirun.openmpi", "-host", "node1:2,node2:2", "-n", "4", dir+"/openmpi")
	})
	t.Run("mpich", func(t *testing.T) {
		// Without the library, five jobs are enough for one to hang.
		for range 5 {
			greet(t, c, preload, "mpirun.mpich", "-hosts", "node1,node2", "-ppn", "2", "-n", "4", dir+"/mpich")
		}
	})
}

// Debian's Slurm speaks PMIx, as Open MPI does, and PMI-2, as MPICH does; the launchers of both start their daemons by
// srun in an allocation.
func TestSlurmRunsJobsOfBothLibraries(t *testing.T) {
	dir := t.TempDir()
	hello(t, dir)
	preload := []string{"LD_PRELOAD=" + Finalize(t, dir)}
	c := New(t, Options{Shared: []string{dir}, Slurm: true})
	const nodes = " -N 2 -n 4 --ntasks-per-node=2 "
	batch := func(command string) string {
		return "sbatch --wait -o " + Home + "/out" + nodes + "--wrap '" + command + "' && cat " + Home + "/out"
	}
	for name, line := range map[string]string{
		"srun-openmpi":   "srun" + nodes + dir + "/openmpi",
		"srun-mpich":     "srun --mpi=pmi2" + nodes + dir + "/mpich",
		"sbatch-openmpi": batch("mpirun.openmpi " + dir + "/openmpi"),
		"sbatch-mpich":   batch("mpirun.mpich " + dir + "/mpich"),
	} {
		var env []string
		if strings.HasSuffix(name, "mpich") {
			env = preload
		}
		t.Run(name, func(t *testing.T) { greet(t, c, env, "sh", "-c", line) })
	}
	if names := strings.Fields(do(t, c.Host("front"), "srun", "-N", "2", "-n", "2", "hostname")); len(names) != 2 ||
		names[0] == names[1] {
		t.Errorf("srun -N 2 hostname: %q", names)
	}
}
