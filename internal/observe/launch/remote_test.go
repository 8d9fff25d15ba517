package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherHostsAreReachedAsTheLauncherReachesThem covers what users set for Open MPI and Hydra, on the command line
// and in the environment.
func TestOtherHostsAreReachedAsTheLauncherReachesThem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ours", "ssh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const careful = " -o BatchMode=yes -o ConnectTimeout=10"
	for _, c := range []struct {
		family  Family
		line    string
		environ string
		want    string
	}{
		{OpenMPI, "mpirun -host a,b ./x", "", "ssh" + careful},
		{OpenMPI, "mpirun -host a,b --mca plm_rsh_agent ours ./x", "", "ours"},
		{OpenMPI, "mpirun -host a,b --mca plm_rsh_agent nowhere:ssh -p 7 ./x", "", "ssh" + careful},
		{OpenMPI, "mpirun -host a,b ./x --mca plm_rsh_agent ours", "", "ssh" + careful},
		{OpenMPI, "mpirun -host a,b ./x", "OMPI_MCA_plm_rsh_agent=nowhere : ours -v", "ours -v"},
		{OpenMPI, "mpirun -host a,b ./x", "OMPI_MCA_plm_rsh_agent=ssh -p 7", "ssh -p 7" + careful},
		{MPICH, "mpiexec -hosts a,b -launcher-exec ours ./x", "", "ours"},
		{MPICH, "mpiexec -hosts a,b ./x", "HYDRA_LAUNCHER_EXEC=" + dir + "/ours", dir + "/ours"},
	} {
		j := jobOf(t, c.family, c.line)
		r := j.Remote([]string{"PATH=" + dir, c.environ})
		if got := strings.Join(r.Shell, " "); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.line, c.environ, got, c.want)
		}
		if got := strings.Join(r.Names, " "); got != "a b" {
			t.Errorf("%s: hosts %q", c.line, got)
		}
	}
}

func TestInsideAnAllocationHostsAreReachedBySrun(t *testing.T) {
	j := &Job{Argv: []string{"mpirun", "-host", "a", "./x"}, Family: OpenMPI, Launcher: "/usr/bin/mpirun",
		segments: []segment{{start: 1, end: 4, program: 3}}}
	r := j.Remote([]string{"SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=2"})
	if got := strings.Join(r.Command("a", "true"), " "); !r.Slurm || !strings.HasPrefix(got, "srun ") ||
		!strings.HasSuffix(got, " --nodelist=a --chdir=/ /bin/sh -c true") {
		t.Errorf("%q", got)
	}
}
