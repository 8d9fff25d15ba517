package launch

import (
	"slices"
	"strings"

	"unknot/internal/observe/ring"
)

// Injection is what must reach the environment of every rank.
type Injection struct {
	Probe   string // the library to preload, or several with colons between them
	Session string // the session directory, "" for none
	Plan    string // the file of the plan that is forced on the run, "" for none
	Heed    string // what an exploration passes to the ranks of a run (ring.EnvHeed), "" for nothing
	Agent   string // the unknot that a rank on another host starts there, "" if all ranks are on this one
	Link    string // what that needs to join the job (ring.EnvLink)
	// More are other variables, with their values.
	More [][2]string
}

const (
	preload    = "LD_PRELOAD"
	envSession = ring.EnvSession
	envPlan    = ring.EnvPlan
	// A program with gcc's address sanitizer refuses to start if anything is preloaded before the sanitizer's library.
	asan      = "ASAN_OPTIONS"
	asanOrder = "verify_asan_link_order=0"
	// UCX starts a thread in each process that serves those who look into it, unless the setting is "n". It sleeps in a
	// system call in which a thread of the program might wait for anything, and asks for a socket, so a rank with it
	// would never count as stuck, nor as one that hears of others by MPI alone.
	ucxServes = "UCX_VFS_ENABLE"
	slurmVars = "SLURM_EXPORT_ENV" // what srun takes for --export
)

// inject returns the command line and the environment that start the job with the probe in each rank.
//
// The launcher inherits our environment and every launcher hands that on to the ranks of this host. For other hosts,
// and against options that keep the environment back, it is passed on the command line: -x to Open MPI, -genv to Hydra,
// --export to srun. A preloaded library that the user asks for stays first.
func (j *Job) inject(in Injection, environ []string) (argv, env []string) {
	e := environment(environ)
	all := joinPreload(e.get(preload), in.Probe)
	argv = slices.Clone(j.Argv)
	for i := range argv[:j.prefix] {
		in.joinAssignment(&argv[i]) // env LD_PRELOAD=… mpirun
	}
	e = e.with(asan, joinPreload(e.get(asan), asanOrder))
	if e.get(ucxServes) == "" {
		e = e.with(ucxServes, "n")
	}
	switch j.Family {
	case OpenMPI:
		argv, e = j.injectOpenMPI(argv, e, in, all)
	case MPICH:
		argv = j.injectHydra(argv, in, all)
	case Slurm:
		argv = j.injectSlurm(argv, in)
		if list := e.get(slurmVars); list != "" {
			e = e.with(slurmVars, in.exported(list))
		}
	}
	for _, v := range in.own() {
		e = e.with(v[0], v[1])
	}
	if in.Plan == "" && e.get(envPlan) != "" { // our caller's is not for this job
		e = e.with(envPlan, "")
	}
	if in.Heed == "" && e.get(ring.EnvHeed) != "" {
		e = e.with(ring.EnvHeed, "")
	}
	return argv, e.with(preload, all)
}

// own are the variables of ours that every rank needs, with their values.
func (in Injection) own() [][2]string {
	v := slices.Clone(in.More)
	if in.Session != "" {
		v = append(v, [2]string{envSession, in.Session})
	}
	if in.Plan != "" {
		v = append(v, [2]string{envPlan, in.Plan})
	}
	if in.Heed != "" {
		v = append(v, [2]string{ring.EnvHeed, in.Heed})
	}
	if in.Agent != "" {
		v = append(v, [2]string{ring.EnvAgent, in.Agent}, [2]string{ring.EnvLink, in.Link})
	}
	return v
}

// names lists the variables that every rank needs, with a separator before each but the first.
func (in Injection) names(separator string) string {
	list := preload
	for _, v := range in.own() {
		list += separator + v[0]
	}
	return list
}

func joinPreload(have, probe string) string {
	if have == "" {
		return probe
	}
	return have + ":" + probe
}

// join adds what we need to the value that the user's command line gives a variable.
func (in Injection) join(name string, value *string) {
	switch name {
	case preload:
		*value = joinPreload(*value, in.Probe)
	case asan:
		*value = joinPreload(*value, asanOrder)
	}
}

// joinAssignment is join for a word of the form NAME=VALUE.
func (in Injection) joinAssignment(word *string) {
	if name, value, ok := strings.Cut(*word, "="); ok {
		in.join(name, &value)
		*word = name + "=" + value
	}
}

// edit applies change to every option of the command line, and inserts words at the start of every segment.
func (j *Job) edit(argv []string, change func(name string, values []string), insert func(s segment) []string) []string {
	out := slices.Clone(argv[:j.prefix+1])
	for n, s := range j.segments {
		if n > 0 {
			out = append(out, ":")
		}
		out = append(out, insert(s)...)
		for o := range j.optionsOf(argv, s) {
			change(o.name, argv[o.at+1:o.at+o.words])
		}
		out = append(out, argv[s.start:s.end]...)
	}
	if len(j.segments) == 0 {
		out = append(out, argv[j.prefix+1:]...)
	}
	return out
}

// injectOpenMPI uses -x, unless the user has chosen the parameter mca_base_env_list, with which -x must not be mixed.
func (j *Job) injectOpenMPI(argv []string, e environment, in Injection, all string) ([]string, environment) {
	const list, listVar = "mca_base_env_list", "OMPI_MCA_mca_base_env_list"
	byList := false
	change := func(name string, values []string) {
		switch {
		case name == "x" && len(values) == 1:
			in.joinAssignment(&values[0])
		case len(values) == 2 && values[0] == list:
			byList = true
			values[1] += ";" + in.names(";")
		}
	}
	if have := e.get(listVar); have != "" {
		byList = true
		e = e.with(listVar, have+";"+in.names(";"))
	}
	out := j.edit(argv, change, func(segment) []string { return nil })
	if byList || len(j.segments) == 0 {
		return out, e
	}
	own := j.sets(argv, "x", preload)
	return j.edit(argv, func(string, []string) {}, func(s segment) []string {
		var words []string
		for _, v := range in.own() {
			words = append(words, "-x", v[0])
		}
		if !own[s.start] {
			words = append(words, "-x", preload)
		}
		return words
	}), e
}

// sets says for each segment, by its start, whether its options set a variable.
func (j *Job) sets(argv []string, option, variable string) map[int]bool {
	out := map[int]bool{}
	for _, s := range j.segments {
		for o := range j.optionsOf(argv, s) {
			if o.name == option && len(o.values) == 1 {
				name, _, _ := strings.Cut(o.values[0], "=")
				out[s.start] = out[s.start] || name == variable
			}
		}
	}
	return out
}

// injectHydra changes nothing unless the user's options hold the environment back or preload something.
func (j *Job) injectHydra(argv []string, in Injection, all string) []string {
	back := false
	argv = j.edit(argv, func(name string, values []string) {
		switch name {
		case "genvnone", "envnone":
			back = true
		case "genvlist", "envlist":
			back = true
			if in.Link != "" && len(values) == 1 {
				values[0] += "," + ring.EnvLink
			}
		case "genv", "env":
			if len(values) == 2 {
				in.join(values[0], &values[1])
			} else if len(values) == 1 {
				in.joinAssignment(&values[0])
			}
		}
	}, func(segment) []string { return nil })
	if !back {
		return argv
	}
	var told []string
	for _, v := range in.own() {
		if v[0] != ring.EnvLink { // everybody sees the command line
			told = append(told, "-genv", v[0], v[1])
		}
	}
	if in.Link != "" {
		argv = j.naming(argv, ring.EnvLink)
	}
	for _, v := range [][2]string{{preload, all}, {asan, asanOrder}} {
		name, value := v[0], v[1]
		if !slices.ContainsFunc(argv, func(w string) bool { return w == name || strings.HasPrefix(w, name+"=") }) {
			told = append(told, "-genv", name, value)
		}
	}
	return slices.Insert(argv, j.prefix+1, told...)
}

// naming has options of Hydra that keep back the whole environment keep back all but one variable.
func (j *Job) naming(argv []string, variable string) []string {
	for _, s := range slices.Backward(j.segments) {
		for i := s.program - 1; i >= s.start; i-- {
			if list, none := strings.CutSuffix(argv[i], "envnone"); none {
				argv = slices.Replace(argv, i, i+1, list+"envlist", variable)
			}
		}
	}
	return argv
}

// injectSlurm adds our variables to a list of exported ones.
func (j *Job) injectSlurm(argv []string, in Injection) []string {
	const option = "--export"
	for _, s := range j.segments {
		for i := s.start; i < s.program; i++ {
			if list, ok := strings.CutPrefix(argv[i], option+"="); ok {
				argv[i] = option + "=" + in.exported(list)
			} else if argv[i] == option && i+1 < s.program {
				argv[i+1] = in.exported(argv[i+1])
			}
		}
	}
	return argv
}

func (in Injection) exported(list string) string {
	switch strings.ToUpper(list) {
	case "ALL":
		return list
	case "NONE", "NIL":
		return in.names(",")
	}
	return list + "," + in.names(",")
}
