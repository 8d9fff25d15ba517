package launch

import (
	"slices"
	"strconv"
	"strings"
)

// Beside is how a job is started that runs beside others like it.
type Beside struct {
	Argv  []string
	Env   []string // variables that are added to the environment
	Steps bool     // the jobs are steps of an allocation of Slurm
	Tight bool     // the allocation has too few CPUs for all of them, which share these
}

// Beside is how the job is started if so many of it run at a time.
//
// The steps of an allocation share no CPU by default, and each is given all CPUs of its nodes, so that a second one
// waits until the first has ended (srun(1), --exact). Memory that a step asks for, or that the job was given for each
// CPU, is taken from the other steps; 0 shares all of it. Steps that do not fit beside each other would still wait, and
// so overlap. Open MPI's mpirun binds the ranks of every job to the same first cores of a host, unless the command line
// or the environment says how.
func (j *Job) Beside(n int, environ []string) Beside {
	env := environment(environ)
	b := Beside{Argv: j.Argv}
	switch {
	case n < 2:
	case j.Family == Slurm && env.get("SLURM_JOB_ID") != "":
		said := slices.ContainsFunc(j.segments, func(s segment) bool { return j.has(s, sharing...) })
		b.Steps, b.Tight = true, !said && !j.fits(n, env)
		b.Argv = j.stepped(b.Tight, env)
	case j.Family == OpenMPI && !j.places(env):
		for _, name := range bindingPolicies {
			b.Env = append(b.Env, name+"=none")
		}
	}
	return b
}

// What tells Open MPI which cores ranks are bound to: variables, and options.
var (
	bindingPolicies = []string{"OMPI_MCA_hwloc_base_binding_policy", "PRTE_MCA_hwloc_default_binding_policy"}
	placing         = []string{"bind-to", "bind-to-core", "bind-to-socket", "map-by", "rank-by", "cpus-per-proc",
		"cpus-per-rank", "cpu-set", "cpu-list",
		"rankfile", "rf", "mca", "gmca", "tune", "am"}
)

// places says whether the user says where Open MPI places the ranks of a host.
func (j *Job) places(env environment) bool {
	for o := range j.options() {
		if slices.Contains(placing, o.name) {
			return true
		}
	}
	return slices.ContainsFunc(bindingPolicies, func(name string) bool { return env.get(name) != "" })
}

// sharing are srun's options for which CPUs steps share.
var sharing = []string{"exact", "overlap", "exclusive"}

// cpusPerTask is set in jobs that ask for it.
const cpusPerTask = "SLURM_CPUS_PER_TASK"

// stepped is the command line with the options of steps that run at a time. What the user says of the same stays.
func (j *Job) stepped(tight bool, env environment) []string {
	share := "--exact"
	if tight {
		share = "--overlap"
	}
	if len(j.segments) == 0 {
		return slices.Insert(slices.Clone(j.Argv), j.prefix+1, share)
	}
	return j.edit(j.Argv, func(string, []string) {}, func(s segment) []string {
		var added []string
		if !j.has(s, sharing...) {
			added = append(added, share)
			// Since Slurm 22.05, srun does not take this from the job, and each rank would get one CPU.
			if n := env.get(cpusPerTask); n != "" && !tight && !j.has(s, "cpus-per-task") {
				added = append(added, "--cpus-per-task="+n)
			}
		}
		if !j.has(s, "mem", "mem-per-cpu", "mem-per-gpu") {
			added = append(added, "--mem=0")
		}
		return added
	})
}

// has says whether a segment has one of some options.
func (j *Job) has(s segment, names ...string) bool {
	for o := range j.optionsOf(j.Argv, s) {
		if slices.Contains(names, o.name) {
			return true
		}
	}
	return false
}

// fits says whether so many steps find CPUs of their own in the allocation. Other devices are not counted: where steps
// use them, they may not.
func (j *Job) fits(n int, env environment) bool {
	nodes := cpusOf(env.get("SLURM_JOB_CPUS_PER_NODE"))
	if len(nodes) == 0 || len(j.segments) != 1 {
		return false
	}
	s := j.segments[0]
	if j.has(s, "gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task") ||
		env.get("SLURM_JOB_GPUS") != "" {
		return false
	}
	tasks := j.number(s, env, "ntasks", "SLURM_NTASKS", 0)
	on := j.number(s, env, "nodes", "", len(nodes))
	if tasks == 0 {
		tasks = on * j.number(s, env, "ntasks-per-node", "SLURM_NTASKS_PER_NODE", 1)
	}
	if on > len(nodes) || on < 1 {
		return false
	}
	each := (tasks + on - 1) / on * j.number(s, env, "cpus-per-task", cpusPerTask, 1)
	places := 0
	for _, cpus := range nodes {
		places += min(cpus/max(1, each), n)
	}
	return places >= n*on
}

// number is the value of an option, of a variable where that is missing, and else a default. Of a range it is the
// greatest.
func (j *Job) number(s segment, env environment, option, variable string, otherwise int) int {
	value := env.get(variable)
	for o := range j.optionsOf(j.Argv, s) {
		if o.name == option && len(o.values) == 1 {
			value = o.values[0]
		}
	}
	if n, err := strconv.Atoi(value[strings.LastIndexByte(value, '-')+1:]); err == nil {
		return n
	}
	return otherwise
}

// cpusOf reads the CPUs of each node of an allocation as Slurm writes them: 8(x2),4. It gives nil if it cannot.
func cpusOf(list string) []int {
	var nodes []int
	for word := range strings.SplitSeq(list, ",") {
		cpus, times, several := strings.Cut(strings.TrimSuffix(word, ")"), "(x")
		n, err := strconv.Atoi(cpus)
		many := 1
		if several && err == nil {
			many, err = strconv.Atoi(times)
		}
		if err != nil {
			return nil
		}
		nodes = append(nodes, slices.Repeat([]int{n}, many)...)
	}
	return nodes
}
