package launch

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Options that name hosts, or files with hosts, and those of batch systems that give a job several.
var (
	hostOptions = []string{"host", "H", "hosts", "hostlist", "machinelist", "machines", "w", "nodelist", "add-host"}
	fileOptions = []string{"hostfile", "machinefile", "machine", "f", "default-hostfile", "add-hostfile",
		"rankfile", "rf"}
	batchFiles = []string{"PBS_NODEFILE", "PE_HOSTFILE", "LSB_DJOB_HOSTFILE", "HYDRA_HOST_FILE"}
	batchSizes = []string{"SLURM_JOB_NUM_NODES", "SLURM_NNODES", "COBALT_JOBSIZE"}
)

// Hosts says whether ranks of the job may be on other hosts than this one, and names the hosts that the command line
// names.
func (j *Job) Hosts(environ []string) (names []string, several bool) {
	env := environment(environ)
	if j.Launcher == "" {
		return nil, false
	}
	files := slices.Clone(batchFiles)
	for i, name := range files {
		files[i] = env.get(name)
	}
	for o := range j.options() {
		switch value := strings.Join(o.values, ","); {
		case slices.Contains(hostOptions, o.name):
			names = append(names, hostNames(value)...)
		case slices.Contains(fileOptions, o.name):
			files = append(files, value)
		}
	}
	for _, file := range files {
		names = append(names, hostsOf(file)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range batchSizes {
		n, _ := strconv.Atoi(env.get(name))
		several = several || n > 1
	}
	// srun may make a separate allocation.
	several = several || j.Family == Slurm && env.get("SLURM_JOB_ID") == ""
	return names, several || len(Others(names)) > 0
}

// hostNames are those of a list as Open MPI (a:2,b) and Hydra (a:2,b) take it.
func hostNames(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name, _, _ = strings.Cut(strings.TrimSpace(name), ":"); name != "" && !strings.HasPrefix(name, "+") {
			names = append(names, name)
		}
	}
	return names
}

// hostsOf reads a file with a host a line, with what else launchers have behind the name. One that cannot be read is
// the launcher's matter.
func hostsOf(file string) (names []string) {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if words := strings.Fields(line); len(words) > 0 {
			names = append(names, hostNames(words[0])...)
		}
	}
	return names
}
