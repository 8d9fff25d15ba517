package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Remote is how a job's other hosts are reached before it runs: as its launcher reaches them.
type Remote struct {
	Names []string // of the hosts that are known, without this one
	Shell []string // what runs a command on the host whose name is put behind it; nil inside an allocation of Slurm
	Slurm bool     // inside an allocation of Slurm
}

// Remote finds out how the job's other hosts are reached.
func (j *Job) Remote(environ []string) Remote {
	env := environment(environ)
	names, _ := j.Hosts(environ)
	r := Remote{Names: Others(names), Slurm: env.get("SLURM_JOB_ID") != ""}
	if !r.Slurm {
		r.Shell = remoteShell(j.agentWords(env), env)
		return r
	}
	if len(r.Names) == 0 {
		if list := env.get("SLURM_JOB_NODELIST"); list != "" {
			r.Names = Others(strings.Fields(ask("scontrol", "show", "hostnames", list)))
		}
	}
	return r
}

// To is how hosts are reached that no command line has been given for.
func To(names []string) Remote {
	env := environment(os.Environ())
	return Remote{Names: Others(names), Shell: remoteShell((&Job{}).agentWords(env), env),
		Slurm: env.get("SLURM_JOB_ID") != ""}
}

// Others leaves out what names this host.
func Others(names []string) []string {
	here, _ := os.Hostname()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return name == here || name == "localhost" ||
			name == "127.0.0.1"
	})
}

// What launchers take the command from that they reach other hosts with: parameters of Open MPI, options of Hydra.
var (
	agentParameters = []string{"plm_rsh_agent", "plm_ssh_agent", "orte_rsh_agent", "pls_rsh_agent"}
	agentOptions    = []string{"launcher-exec", "bootstrap-exec"}
	agentVariables  = []string{
		"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_plm_ssh_agent", "OMPI_MCA_orte_rsh_agent", "PRTE_MCA_plm_ssh_agent",
		"HYDRA_LAUNCHER_EXEC", "HYDRA_BOOTSTRAP_EXEC",
	}
)

// agentWords is the command that the user has chosen for that, "" if none.
func (j *Job) agentWords(env environment) string {
	for o := range j.options() {
		switch {
		case len(o.values) == 2 && slices.Contains(agentParameters, o.values[0]):
			return o.values[1]
		case len(o.values) == 1 && slices.Contains(agentOptions, o.name):
			return o.values[0]
		}
	}
	for _, name := range agentVariables {
		if command := env.get(name); command != "" {
			return command
		}
	}
	return ""
}

// remoteShell is the command, of several with colons between them the first that there is. A password is never asked
// for: the launcher could not be given one either.
func remoteShell(command string, env environment) []string {
	words := []string{"ssh"}
	for choice := range strings.SplitSeq(command, ":") {
		w := strings.Fields(choice)
		if len(w) == 0 {
			continue
		}
		if _, err := env.lookPath(w[0], ""); err == nil {
			words = w
			break
		}
	}
	if filepath.Base(words[0]) == "ssh" {
		words = append(words, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
	}
	return words
}

// Command is the command that has a host's shell run a line.
func (r Remote) Command(host, line string) []string {
	if !r.Slurm {
		return append(slices.Clone(r.Shell), host, line)
	}
	return []string{"srun", "--overlap", "--quiet", "--mpi=none", "--nodes=1", "--ntasks=1", "--nodelist=" + host,
		"--chdir=/", "/bin/sh", "-c", line}
}

// Broadcast is the command that copies a file to all hosts of the allocation; nil outside of one.
func (r Remote) Broadcast(from, to string) []string {
	if _, err := exec.LookPath("sbcast"); !r.Slurm || err != nil {
		return nil
	}
	return []string{"sbcast", "--force", from, to}
}

// Everywhere is the command that runs another one on each host of the allocation.
func (r Remote) Everywhere(argv ...string) []string {
	nodes := os.Getenv("SLURM_JOB_NUM_NODES")
	return append([]string{"srun", "--overlap", "--quiet", "--mpi=none", "--nodes=" + nodes, "--ntasks=" + nodes,
		"--ntasks-per-node=1", "--chdir=/"}, argv...)
}
