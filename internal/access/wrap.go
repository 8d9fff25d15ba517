package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// names are what compiler wrappers are called, with the verb of unknot that stands for each.
var names = map[string]string{
	"mpicc": "mpicc", "mpicxx": "mpicxx", "mpic++": "mpicxx", "mpiCC": "mpicxx", "mpifort": "mpifort", "mpif90": "mpifort", "mpif77": "mpifort",
	"mpicc.openmpi": "mpicc", "mpicxx.openmpi": "mpicxx", "mpifort.openmpi": "mpifort", "mpif90.openmpi": "mpifort",
	"mpicc.mpich": "mpicc", "mpicxx.mpich": "mpicxx", "mpifort.mpich": "mpifort", "mpif90.mpich": "mpifort",
}

// Wrap runs a command, such as make, in whose PATH unknot stands before each compiler wrapper, and returns its exit status.
func Wrap(ctx context.Context, self string, command []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	dir, err := os.MkdirTemp("", "unknot-wrap-")
	if err != nil {
		return 3, err
	}
	defer os.RemoveAll(dir)
	env := append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	found := 0
	for name, verb := range names {
		real, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if real, err = filepath.Abs(real); err != nil {
			return 3, err
		}
		script := fmt.Sprintf("#!/bin/sh\nexec %s %s --mpicc=%s \"$@\"\n", quoted(self), verb, quoted(real))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			return 3, err
		}
		found++
		for _, l := range Languages() {
			if name == l.Default && os.Getenv(l.Env) == "" {
				env = append(env, l.Env+"="+real) // for a build that calls unknot itself
			}
		}
	}
	if found == 0 {
		return 2, errors.New("no compiler wrapper of an MPI library in PATH; hint: install one (Debian: libopenmpi-dev or libmpich-dev)")
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		return max(exit.ExitCode(), 1), nil
	case err != nil:
		return 2, fmt.Errorf("%s: %w", command[0], err)
	}
	return 0, nil
}

// quoted is a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
