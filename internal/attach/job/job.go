// Package job finds the ranks of jobs that run on this host, whoever has started them: by what the launchers of MPI
// libraries put into the environment of a rank, and by the processes above it.
package job

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/kit/procstat"
	"unknot/internal/observe/launch"
)

// Rank is a process that is a rank of a job.
type Rank struct {
	PID     int
	Job     string // what its launcher knows the job by, the same on all hosts
	Batch   string // the job of a batch system that it is part of, "" if there is none
	Rank    int    // in MPI_COMM_WORLD
	Size    int    // of it, 0 if the launcher does not say
	Local   int    // how many of them the launcher has started on this host, 0 if it does not say
	Program string // its executable
	above   []int  // the processes above it
}

// variables are those by which launchers tell a rank its number and how many there are. Open MPI, MPICH's Hydra, PMIx,
// Slurm; the first that is there counts.
var variables = [][2]string{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", ""},
	{slurmRank, "SLURM_NTASKS"},
}

// slurmRank is set in a batch script, too, which is in no step and no rank.
const slurmRank = "SLURM_PROCID"

// batchJobs are the variables by which batch systems name a job: Slurm, PBS, LSF, Flux.
var batchJobs = []string{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID"}

// Is says whether a rank is of a job, as its launcher or the batch system knows it.
func (r *Rank) Is(id string) bool { return r.Job == id || r.Batch == id }

// All are the ranks on this host whose processes may be looked at, by job and rank. Where a launcher starts a rank
// through other programs, such as a shell, the process is the one that uses an MPI library, or else the last one.
func All() []Rank {
	children := make(map[int]bool)
	found := make(map[string][]Rank)
	own := program(os.Getpid())
	for _, pid := range launch.Processes() {
		r, ok := of(pid)
		if !ok || r.Program == own { // Slurm starts unknot as it starts a rank
			continue
		}
		for _, p := range r.above {
			children[p] = true
		}
		key := r.Job + " " + strconv.Itoa(r.Rank)
		found[key] = append(found[key], r)
	}
	var ranks []Rank
	for _, list := range found {
		using := slices.DeleteFunc(slices.Clone(list), func(r Rank) bool { return !usesMPI(r.PID) })
		if len(using) > 0 {
			list = using
		} else {
			list = slices.DeleteFunc(list, func(r Rank) bool { return children[r.PID] })
		}
		ranks = append(ranks, list...)
	}
	slices.SortFunc(ranks, func(a, b Rank) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.PID, b.PID))
	})
	return ranks
}

// Of are the ranks of the job that a process belongs to: it is one of them, or above some, as a launcher is. There may
// be ranks of several jobs below a process.
func Of(pid int, all []Rank) []Rank {
	jobs := make(map[string]bool)
	for _, r := range all {
		if r.PID == pid || slices.Contains(r.above, pid) {
			jobs[r.Job] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r Rank) bool { return !jobs[r.Job] })
}

// of is what a process is as a rank; false if it is no rank, or its environment may not be read.
func of(pid int) (r Rank, ok bool) {
	env := environment(pid)
	names, n, ok := numbered(env)
	if !ok {
		return r, false
	}
	r = Rank{PID: pid, Rank: n, above: above(pid)}
	r.Size, _ = strconv.Atoi(env[names[1]])
	if r.Size == 0 && strings.HasPrefix(env["PMIX_NAMESPACE"], "slurm.pmix.") { // the step has started the ranks itself
		r.Size, _ = strconv.Atoi(env["SLURM_STEP_NUM_TASKS"])
	}
	r.Job = known(env, r.above)
	for _, name := range batchJobs {
		r.Batch = cmp.Or(r.Batch, env[name])
	}
	r.Local, _ = strconv.Atoi(cmp.Or(env["OMPI_COMM_WORLD_LOCAL_SIZE"], env["MPI_LOCALNRANKS"]))
	r.Program = program(pid)
	return r, true
}

// program is the executable of a process, "" if it may not be asked.
func program(pid int) string {
	path, _ := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	return path
}

// Number is that of a rank in MPI_COMM_WORLD by its process; false if it is no rank, or its environment may not be read.
func Number(pid int) (n int, ok bool) {
	_, n, ok = numbered(environment(pid))
	return n, ok
}

// numbered is a rank's number by its environment, and the variables that say it.
func numbered(env map[string]string) (names [2]string, n int, ok bool) {
	for _, names := range variables {
		if n, err := strconv.Atoi(env[names[0]]); err == nil && !(names[0] == slurmRank && env["SLURM_STEP_ID"] == "") {
			return names, n, true
		}
	}
	return names, 0, false
}

// environment is what a process was started with; empty if that may not be read.
func environment(pid int) map[string]string {
	text, _ := launch.StartedWith(pid)
	env := make(map[string]string)
	for entry := range strings.SplitSeq(string(text), "\x00") {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	return env
}

// known is what the launcher knows the job by.
func known(env map[string]string, above []int) string {
	if space := env["PMIX_NAMESPACE"]; space != "" {
		return space
	}
	for _, pid := range above { // Hydra's process on this host knows only how to reach its mpiexec
		words, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if m := controlPort.FindSubmatch(words); m != nil {
			return string(m[1])
		}
	}
	if env["SLURM_JOB_ID"] != "" {
		return env["SLURM_JOB_ID"] + "." + env["SLURM_STEP_ID"]
	}
	if len(above) > 0 {
		host, _ := os.Hostname() // the kernel always has one
		return "process " + strconv.Itoa(above[0]) + " on " + host
	}
	return ""
}

var controlPort = regexp.MustCompile(`hydra_pmi_proxy\x00(?:.*\x00)?--control-port\x00([^\x00]+)\x00`)

// above are the processes above one, nearest first.
func above(pid int) (list []int) {
	const most = 64
	for len(list) < most {
		stat, err := procstat.Of(filepath.Join("/proc", strconv.Itoa(pid)))
		if err != nil {
			break
		}
		if pid, err = strconv.Atoi(stat[procstat.Parent]); err != nil || pid <= 1 {
			break
		}
		list = append(list, pid)
	}
	return list
}

// usesMPI says whether a process has an MPI library in its memory.
func usesMPI(pid int) bool {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "maps"))
	for line := range strings.SplitSeq(string(text), "\n") {
		m, ok := procstat.ReadMapping(line)
		if name := filepath.Base(m.Path); ok && (strings.HasPrefix(name, "libmpi") || strings.HasPrefix(name, "libpmpi")) {
			return true
		}
	}
	return false
}
