package launch

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// findProgram finds the file of a segment's program where the launcher would.
func findProgram(argv []string, s segment, f Family, env environment) (Program, error) {
	word := argv[s.program]
	p := Program{Arg: s.program}
	path := s.path
	if path == "" {
		path = env.get("PATH")
	}
	var err error
	if strings.Contains(word, "/") {
		p.Path, err = executable(under(s.dir, word))
	} else if p.Path, err = searchPath(word, path, s.dir); err != nil && f == OpenMPI {
		// Open MPI looks in the working directory after the search path.
		if here, e := executable(under(s.dir, word)); e == nil {
			p.Path, err = here, nil
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrPermission):
		return p, fmt.Errorf("%s: not executable; hint: chmod +x it, or name its interpreter", pathOf(err, word))
	case errors.Is(err, exec.ErrNotFound):
		hint := "hint: give its path"
		if _, e := os.Stat(under(s.dir, word)); e == nil {
			hint = "hint: write ./" + word
		}
		return p, fmt.Errorf("%s: no such program in PATH; %s", word, hint)
	case errors.Is(err, fs.ErrNotExist):
		return p, fmt.Errorf("%s: no such program; hint: check the path%s", pathOf(err, word), relativeTo(word, s.dir))
	default:
		return p, fmt.Errorf("program %s: %w", word, err)
	}
	p.Interpreter, err = interpreter(p.Path, env)
	return p, err
}

func pathOf(err error, word string) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Path
	}
	return word
}

func relativeTo(word, dir string) string {
	if dir == "" || filepath.IsAbs(word) {
		return ""
	}
	return fmt.Sprintf(", which is taken relative to %s as the launcher's options say", dir)
}

// interpreter returns the command that the kernel would run a script with, "" if the file is not a script. For
// `#!/usr/bin/env NAME` it is NAME, found in PATH.
func interpreter(path string, env environment) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return "", nil // it may be executed but not read: nothing can be known of it
		}
		return "", err
	}
	defer f.Close()
	const longest = 512
	line, err := bufio.NewReaderSize(f, longest).ReadSlice('\n')
	if len(line) < 2 || line[0] != '#' || line[1] != '!' {
		return "", nil
	}
	if err != nil && len(line) == longest {
		return "", nil
	}
	fields := strings.Fields(string(line[2:]))
	if len(fields) == 0 {
		return "", nil
	}
	if filepath.Base(fields[0]) == "env" {
		for _, word := range fields[1:] {
			if strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
				continue
			}
			found, err := env.lookPath(word, "")
			if err != nil {
				return "", fmt.Errorf("%s: its interpreter %s is not in PATH; hint: install %s", path, word, word)
			}
			return found, nil
		}
		return fields[0], nil
	}
	if _, err := executable(fields[0]); err != nil {
		return "", fmt.Errorf("%s: its interpreter %s does not exist; hint: correct the first line", path, fields[0])
	}
	return fields[0], nil
}

var pythonName = regexp.MustCompile(`^(python|pypy)[0-9.]*(-dbg)?$`)

// python returns the command that runs Python code in this program, "" if none does.
func (p *Program) python() string {
	switch {
	case pythonName.MatchString(filepath.Base(p.Path)):
		return p.Path
	case pythonName.MatchString(filepath.Base(p.Interpreter)):
		return p.Interpreter
	}
	return ""
}

// runners run other programs, so that a missing MPI in them means nothing.
var runners = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "busybox": true, "env": true, "time": true,
	"nice":    true,
	"taskset": true, "numactl": true, "stdbuf": true, "timeout": true, "valgrind": true, "gdb": true, "perf": true,
	"strace": true, "ltrace": true, "xterm": true, "perl": true, "ruby": true, "julia": true, "Rscript": true,
	"R": true, "java": true,
}

// runs says that this program runs others or loads MPI itself, so that its own file does not tell which MPI it needs.
func (p *Program) runs() bool {
	return p.Interpreter != "" || runners[filepath.Base(p.Path)]
}
