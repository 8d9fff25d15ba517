package access

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// names are what compiler wrappers are called, with the verb of unknot that stands for each.
func names() map[string]string {
	list := map[string]string{"mpic++": "mpicxx", "mpiCC": "mpicxx", "mpif77": "mpifort",
		"oshcc": "oshcc", "shmemcc": "oshcc", "oshcxx": "oshcxx", "oshc++": "oshcxx", "oshCC": "oshcxx",
		"shmemcxx": "oshcxx", "shmemc++": "oshcxx", "shmemCC": "oshcxx", "oshfort": "oshfort", "shmemfort": "oshfort"}
	for name, verb := range map[string]string{"mpicc": "mpicc", "mpicxx": "mpicxx", "mpifort": "mpifort",
		"mpif90": "mpifort"} {
		for _, library := range []string{"", ".openmpi", ".mpich"} {
			list[name+library] = verb
		}
	}
	return list
}

// Wrap runs a command, such as make, in whose PATH unknot, which is self, stands before each compiler wrapper, and
// returns its exit status.
func Wrap(ctx context.Context, self string, command []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	scripts, env := map[string]string{}, os.Environ()
	for name, verb := range names() {
		real, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if real, err = filepath.Abs(real); err != nil {
			return 3, err
		}
		for _, l := range Languages() {
			if l.Verb == verb {
				scripts[name] = fmt.Sprintf("#!/bin/sh\nexec %s %s %s%s \"$@\"\n", quoted(self), verb, l.Option,
					quoted(real))
			}
			if name == l.Verb && os.Getenv(l.Env) == "" {
				env = append(env, l.Env+"="+real) // for a build that calls unknot itself
			}
		}
	}
	if len(scripts) == 0 {
		return 2, errors.New("no compiler wrapper of MPI or OpenSHMEM in PATH; hint: install one (Debian: " +
			"libopenmpi-dev or libmpich-dev)")
	}
	dir, err := writeScripts(scripts)
	if err != nil {
		return 3, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(env, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if scripts[command[0]] != "" {
		cmd.Path, cmd.Err = filepath.Join(dir, command[0]), nil
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	exit, err := status(cmd)
	if err != nil {
		return exit, fmt.Errorf("%s: %w", command[0], err)
	}
	return exit, nil
}

// writeScripts puts scripts into a directory of the cache, whose name follows from what they say: a build tool may keep
// their paths.
func writeScripts(scripts map[string]string) (string, error) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		fmt.Fprintf(h, "%s\x00%s\x00", name, scripts[name])
	}
	base, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, fmt.Sprintf("wrap-%x", h.Sum(nil)[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, text := range scripts {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, []byte(text)) {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// quoted is a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
