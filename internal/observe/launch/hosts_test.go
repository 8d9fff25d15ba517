package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestItIsKnownWhereRanksMayRun(t *testing.T) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hosts")
	if err := os.WriteFile(file, []byte("# ours\nnode1 slots=4\n\nnode2:2 # the other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		family  Family
		line    string
		environ []string
		names   string
		several bool
	}{
		{OpenMPI, "mpirun -n 2 ./a", nil, "", false},
		{OpenMPI, "mpirun -n 2 ./a -host b", nil, "", false},
		{OpenMPI, "mpirun -host node2,node1:3,node2 ./a", nil, "node1 node2", true},
		{OpenMPI, "mpirun -n 1 -H node1 ./a : -n 1 --host node3 ./b", nil, "node1 node3", true},
		{OpenMPI, "mpirun --hostfile " + file + " ./a", nil, "node1 node2", true},
		{OpenMPI, "mpirun --hostfile /nowhere ./a", nil, "", false},
		{OpenMPI, "mpirun -host localhost ./a", nil, "localhost", false},
		{OpenMPI, "mpirun -host " + here + " ./a", nil, here, false},
		{OpenMPI, "mpirun ./a", []string{"SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=4"}, "", true},
		{OpenMPI, "mpirun ./a", []string{"PBS_NODEFILE=" + file}, "node1 node2", true},
		{MPICH, "mpiexec -f " + file + " -n 4 ./a", nil, "node1 node2", true},
		{MPICH, "mpiexec -hosts node1:2,node2 ./a", nil, "node1 node2", true},
		{MPICH, "mpiexec -n 4 ./a", []string{"SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=1"}, "", false},
		{Slurm, "srun -n 4 ./a", nil, "", true},
		{Slurm, "srun -n 4 ./a", []string{"SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=1"}, "", false},
		{Slurm, "srun --nodelist=node1 -n 4 ./a", []string{"SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=1"}, "node1", true},
	} {
		j := jobOf(t, c.family, c.line)
		names, several := j.Hosts(c.environ)
		if !slices.Equal(names, strings.Fields(c.names)) || several != c.several {
			t.Errorf("%s: hosts %v, several %v, want %s, %v", c.line, names, several, c.names, c.several)
		}
	}
}

// TestTheKeyOfAJobIsInNoCommandLine has every launcher take it from its environment.
func TestTheKeyOfAJobIsInNoCommandLine(t *testing.T) {
	in := Injection{Probe: "/p.so", Session: "/s", Agent: "/unknot", Link: "SECRET@10.0.0.1:5"}
	for _, c := range []struct {
		family Family
		line   string
		want   string
	}{
		{OpenMPI, "mpirun -host a,b ./a",
			"mpirun -x UNKNOT_SESSION -x UNKNOT_AGENT -x UNKNOT_LINK -x LD_PRELOAD -host a,b ./a"},
		{MPICH, "mpiexec -hosts a,b ./a", "mpiexec -hosts a,b ./a"},
		{MPICH, "mpiexec -genvnone -hosts a,b ./a -genvnone",
			"mpiexec -genv UNKNOT_SESSION /s -genv UNKNOT_AGENT /unknot -genv LD_PRELOAD /p.so " +
				"-genv ASAN_OPTIONS verify_asan_link_order=0 -genvlist UNKNOT_LINK -hosts a,b ./a -genvnone"},
		{MPICH, "mpiexec -envlist A,B -n 1 ./a",
			"mpiexec -genv UNKNOT_SESSION /s -genv UNKNOT_AGENT /unknot -genv LD_PRELOAD /p.so " +
				"-genv ASAN_OPTIONS verify_asan_link_order=0 -envlist A,B,UNKNOT_LINK -n 1 ./a"},
		{Slurm, "srun --export=A ./a", "srun --export=A,LD_PRELOAD,UNKNOT_SESSION,UNKNOT_AGENT,UNKNOT_LINK ./a"},
	} {
		j := jobOf(t, c.family, c.line)
		got, env := j.inject(in, nil)
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: started as\n%s, want\n%s", c.line, text, c.want)
		}
		if link := environment(env).get("UNKNOT_LINK"); link != in.Link {
			t.Errorf("%s: UNKNOT_LINK=%s", c.line, link)
		}
	}
}
