package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Language is one of the compilers that `unknot` stands before.
type Language struct {
	Verb   string // of unknot, and the name of the wrapper that is called unless another one is named
	Env    string // the variable that names another one
	Option string // what names another one as the first argument, before its value
}

// Symmetric says whether a program's memory of interest is the symmetric memory of OpenSHMEM.
func (l Language) Symmetric() bool { return l.Option == ofSHMEM }

const (
	ofMPI   = "--mpicc="
	ofSHMEM = "--oshcc="
)

// Languages are those of MPI, and those of OpenSHMEM.
func Languages() []Language {
	return []Language{{"mpicc", "UNKNOT_MPICC", ofMPI}, {"mpicxx", "UNKNOT_MPICXX", ofMPI},
		{"mpifort", "UNKNOT_MPIFORT", ofMPI},
		{"oshcc", "UNKNOT_OSHCC", ofSHMEM}, {"oshcxx", "UNKNOT_OSHCXX", ofSHMEM},
		{"oshfort", "UNKNOT_OSHFORT", ofSHMEM}}
}

// Compile calls the real compiler wrapper with what it needs to make the program's accesses seen, and returns its exit
// status. Of the arguments the first may be --mpicc=PATH, for OpenSHMEM --oshcc=PATH, the real wrapper.
func Compile(ctx context.Context, l Language, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	wrapper := os.Getenv(l.Env)
	if wrapper == "" {
		wrapper = l.Verb
	}
	if len(args) > 0 {
		if path, named := strings.CutPrefix(args[0], l.Option); named {
			wrapper, args = path, args[1:]
		}
	}
	status, err := l.compile(ctx, wrapper, args, stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "unknot: %s: %v\n", l.Verb, err)
	}
	return status
}

func (l Language) compile(ctx context.Context, wrapper string, args []string, stdin io.Reader, stdout,
	stderr io.Writer) (int, error) {
	path, err := l.find(wrapper)
	if err != nil {
		return 2, err
	}
	job := read(args)
	if job.sanitizer != "" {
		return 2, fmt.Errorf("%s tests accesses in its own way, and both do not go together; hint: leave one "+
			"of them out", job.sanitizer)
	}
	if job.works && job.narrow != "" {
		return 2, fmt.Errorf("%s makes a program with addresses of 32 bits, whose accesses are not seen; hint: "+
			"compile it with %s itself", job.narrow, wrapper)
	}
	if job.works {
		k, err := prepare(ctx, path)
		if err != nil {
			return 2, err
		}
		args = slices.Concat(k.compiling(), args)
		if job.links {
			args = append(args, k.linking(job.shared)...)
			if k.Kind == GCC && k.Plugin == "" {
				fmt.Fprintf(stderr, "unknot: note: accesses to variables by their names are not seen: %s\n", k.Why)
			}
		}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return status(cmd)
}

// status runs a command and gives its exit status; an error is that it could not be run.
func status(cmd *exec.Cmd) (int, error) {
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		return max(exit.ExitCode(), 1), nil
	case err != nil:
		return 2, err
	}
	return 0, nil
}

// find is the path of a wrapper.
func (l Language) find(wrapper string) (string, error) {
	path, err := exec.LookPath(wrapper)
	if err != nil {
		library := "an MPI library (Debian: libopenmpi-dev or libmpich-dev)"
		if l.Symmetric() {
			library = "an OpenSHMEM library (Debian: libopenmpi-dev)"
		}
		return "", fmt.Errorf("no compiler wrapper %s; hint: install %s, or name its wrapper with %sPATH", wrapper,
			library, l.Option)
	}
	return filepath.Abs(path)
}

// job is what a command line of a compiler asks for.
type job struct {
	works     bool   // it has something to compile or to link, and does not only ask
	links     bool   // a program or a shared library comes of it
	shared    bool   // which is a library
	sanitizer string // an option that does not go with ours
	narrow    string // an option that makes addresses shorter
}

// read reads a command line as far as that.
func read(args []string) job {
	j := job{links: true}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-c" || a == "-S" || a == "-E" || a == "-fsyntax-only" || a == "-M" || a == "-MM" || a == "-r":
			j.links = false
		case a == "-shared":
			j.shared = true
		case a == "-m32" || a == "-mx32" || a == "-m16":
			j.narrow = a
		case a == "-m64":
			j.narrow = ""
		case strings.HasPrefix(a, "-fsanitize=") && slices.ContainsFunc(strings.Split(a[len("-fsanitize="):], ","),
			memorySanitizer):
			j.sanitizer = a
		case a == "-show" || strings.HasPrefix(a, "-showme") || strings.HasPrefix(a, "--showme") ||
			a == "-compile_info" || a == "-link_info":
			return job{}
		case slices.Contains(withValue, a):
			i++
		case a == "-" || !strings.HasPrefix(a, "-"):
			j.works = true
		}
	}
	return j
}

// memorySanitizer says whether a sanitizer looks at accesses to memory.
func memorySanitizer(name string) bool {
	return slices.Contains([]string{"address", "thread", "memory", "hwaddress", "kernel-address", "kernel-hwaddress"},
		name)
}

// withValue are the options of compilers whose value may be the next argument.
var withValue = []string{
	"-o", "-I", "-L", "-D", "-U", "-l", "-x", "-u", "-z", "-T", "-B", "-J", "-e", "-include", "-imacros", "-isystem",
	"-iquote", "-idirafter", "-iprefix", "-iwithprefix",
	"-isysroot", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-mllvm", "-MF", "-MT", "-MQ", "-aux-info",
	"--param", "-dumpbase", "-dumpdir", "-wrapper", "-arch",
	"-target", "-specs",
}
