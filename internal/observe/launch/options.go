package launch

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// segment is a part of a launcher's command line that starts one program: all of it, or what stands between colons.
type segment struct {
	start, end int    // of its words in the argument vector, options first
	program    int    // index of the program's word; -1 if a file names the programs
	dir        string // working directory that the options ask for
	path       string // search path that the options ask for
}

type parsedOptions struct {
	segments []segment
	ranks    int
	warnings []string
}

// syntax is how a launcher family writes its options, as far as that is needed to find the program behind them.
type syntax struct {
	// values gives the number of words after an option that belong to it; an option that is not listed has none. Names
	// are without their dashes, which all these launchers take single or double (Slurm: see slurmSyntax).
	values map[string]int
	count  []string // number of ranks
	dir    []string // working directory
	path   []string // search path
	file   []string // a file that names the programs instead of the command line
}

func words(n int, names string) map[string]int {
	m := map[string]int{}
	for name := range strings.FieldsSeq(names) {
		m[name] = n
	}
	return m
}

func merge(ms ...map[string]int) map[string]int {
	out := map[string]int{}
	for _, m := range ms {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// openMPISyntax covers mpirun of Open MPI 1.10 to 4.1 (orterun) and 5.0 (prterun).
var openMPISyntax = syntax{
	values: merge(
		words(2, "mca gmca omca gomca pmca prtemca pmixmca gpmixmca"),
		words(1,
			`am app bind-to c n np N cf cartofile cpu-list cpu-set cpus-per-proc cpus-per-rank debugger default-hostfile
			dvm-uri dvm display fwd-environment H host hnp hostfile launch-agent machinefile map-by max-restarts max-vm-size
			npernode npersocket num-connect-retries ompi-server output output-filename output-directory path personality pid
			ppr prefix preload-files preload-files-dest-dir pset rank-by report-events report-pid report-uri rf rankfile
			runtime-options server-wait-time singleton stdin test-suicide timeout tune uri wait-for-server-time
			add-host add-hostfile wd wdir x xml-file xterm x-env spawn-timeout stop-in-app rtos pmix-prefix app-prefix`),
	),
	count: []string{"n", "np", "c"}, dir: []string{"wd", "wdir"}, path: []string{"path"}, file: []string{"app"},
}

// hydraSyntax covers mpiexec.hydra of MPICH, and what Intel MPI and MVAPICH add to it.
var hydraSyntax = syntax{
	values: merge(
		words(2, "genv env"),
		words(1,
			`genvlist envlist f hostfile machinefile machine machines machinelist hosts hostlist host wdir dir configfile
			config n np g path soft arch launcher launcher-exec bootstrap bootstrap-exec rmk topolib bind-to binding map-by
			membind rankmap demux iface ppn perhost prepend-pattern output-from outfile-pattern errfile-pattern outfile
			errfile nameserver localhost usize gpus-per-proc gpu-subdevs-per-proc s stdin
			order-nodes timeout gtool gtoolfile ckpoint-interval ckpoint-prefix ckpoint-num ckpointlib branch-count trace
			hostos tune profile-out umask`),
	),
	count: []string{"n", "np"}, dir: []string{"wdir", "dir"}, path: []string{"path"},
	file: []string{"configfile", "config"},
}

// slurmFlags are srun's long options without a value or with one only after "="; all others take one.
var slurmFlags = strings.Fields(
	`bcast compress contiguous disable-status exact exclusive external get-user-env help hold immediate
	interactive kill-on-bad-exit label multi-prog nice no-allocate no-kill oom-kill-step overcommit overlap oversubscribe
	preserve-env propagate pty quiet quit-on-interrupt reboot requeue no-requeue resv-ports send-libs share spread-job test-only
	unbuffered usage use-min-nodes verbose version wait-all-nodes whole x11`)

// slurmShort are srun's one-letter options that take a value, attached to the letter or as the next word.
const slurmShort = "ABCDFGJLMNPSTUWabcdegimnopqrtwx"

var slurmLong = map[byte]string{'n': "ntasks", 'D': "chdir", 'w': "nodelist", 'N': "nodes",
	'c': "cpus-per-task", 'G': "gpus"}

// parseOptions finds the programs on a launcher's command line, from the word after the launcher on.
func parseOptions(argv []string, from int, f Family) (parsedOptions, error) {
	var out parsedOptions
	for start := from; start <= len(argv); {
		end := start
		for end < len(argv) && argv[end] != ":" {
			end++
		}
		s, n, err := parseSegment(argv, start, end, f)
		if err != nil {
			return out, err
		}
		out.ranks += n
		if s.program < 0 {
			out.warnings = append(out.warnings,
				"the programs are named in a file that unknot does not read; it assumes that they use the "+
					"launcher's MPI")
		} else {
			out.segments = append(out.segments, s)
		}
		start = end + 1
	}
	return out, nil
}

// optionsOf are the options of a segment of the launcher's words, which stand before its program.
func (j *Job) optionsOf(argv []string, s segment) iter.Seq[option] {
	sx := syntaxOf(j.Family)
	return func(yield func(option) bool) {
		for i := s.start; i < s.program && argv[i] != "--"; {
			o := splitOption(argv[i:s.end], sx, j.Family)
			o.at = i
			if !yield(o) {
				return
			}
			i += o.words
		}
	}
}

// options are those of all segments of the command line.
func (j *Job) options() iter.Seq[option] {
	return func(yield func(option) bool) {
		for _, s := range j.segments {
			for o := range j.optionsOf(j.Argv, s) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// option is one option with its values.
type option struct {
	name   string
	values []string
	words  int // of the command line
	at     int // the first of them
}

// syntaxOf is how the launchers of a family write their options.
func syntaxOf(f Family) *syntax {
	switch f {
	case OpenMPI:
		return &openMPISyntax
	case Slurm:
		return &syntax{count: []string{"ntasks"}, dir: []string{"chdir"}, file: []string{"multi-prog"}}
	}
	return &hydraSyntax
}

func parseSegment(argv []string, start, end int, f Family) (segment, int, error) {
	s := segment{start: start, end: end, program: -1}
	sx := syntaxOf(f)
	ranks, byFile := 0, false
	for i := start; i < end; {
		word := argv[i]
		if word == "--" {
			i++
		}
		if word == "--" || len(word) < 2 || word[0] != '-' {
			if i < end {
				s.program = i
			}
			break
		}
		o := splitOption(argv[i:end], sx, f)
		last := ""
		if len(o.values) > 0 {
			last = o.values[len(o.values)-1]
		}
		switch {
		case slices.Contains(sx.count, o.name):
			n, err := strconv.Atoi(last)
			if err != nil || n < 1 {
				return s, 0, fmt.Errorf("%s %s: not a number of ranks", word, last)
			}
			ranks = n
		case slices.Contains(sx.dir, o.name):
			s.dir = last
		case slices.Contains(sx.path, o.name):
			s.path = last
		case slices.Contains(sx.file, o.name):
			byFile = true
		}
		i += o.words
	}
	if byFile {
		s.program = -1
		return s, ranks, nil
	}
	if s.program < 0 {
		return s, 0, fmt.Errorf("`%s` names no program; hint: unknot run %s -n 4 ./app",
			strings.Join(argv, " "), argv[0])
	}
	return s, ranks, nil
}

// splitOption takes the first option off words.
func splitOption(words []string, sx *syntax, f Family) option {
	if f == Slurm {
		return splitSlurmOption(words)
	}
	name := strings.TrimLeft(words[0], "-")
	if name, value, ok := strings.Cut(name, "="); ok {
		return option{name: name, values: []string{value}, words: 1}
	}
	n := sx.values[name]
	// Hydra takes both `-genv NAME VALUE` and `-genv NAME=VALUE`.
	if n == 2 && f == MPICH && len(words) > 1 && strings.Contains(words[1], "=") {
		n = 1
	}
	n = min(n, len(words)-1)
	return option{name: name, values: words[1 : 1+n], words: 1 + n}
}

func splitSlurmOption(words []string) option {
	if name, ok := strings.CutPrefix(words[0], "--"); ok {
		if name, value, ok := strings.Cut(name, "="); ok {
			return option{name: name, values: []string{value}, words: 1}
		}
		if slices.Contains(slurmFlags, name) || len(words) == 1 {
			return option{name: name, words: 1}
		}
		return option{name: name, values: words[1:2], words: 2}
	}
	// One-letter flags may be joined; the first that takes a value takes the rest of the word, or the next one.
	letters := words[0][1:]
	for i := range len(letters) {
		if strings.IndexByte(slurmShort, letters[i]) < 0 {
			continue
		}
		name := slurmLong[letters[i]]
		switch {
		case i+1 < len(letters):
			return option{name: name, values: []string{strings.TrimPrefix(letters[i+1:], "=")}, words: 1}
		case len(words) > 1:
			return option{name: name, values: words[1:2], words: 2}
		}
	}
	return option{words: 1}
}
