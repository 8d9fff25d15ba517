package driver

import (
	"bytes"
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

// runner runs the MPI library's compiler wrapper, or a native UPC compiler.
type runner struct {
	ctx  context.Context
	path string
	// first are the arguments that come before all others.
	first   []string
	native  bool
	stderr  io.Writer
	verbose bool
	// said rewrites what the compiler has said, or is nil.
	said func(string) string
}

// findTool finds the compiler wrapper: the one that is named, else mpicc.
func findTool(name string) (string, error) {
	asked := name != ""
	if !asked {
		name = "mpicc"
	}
	path, err := exec.LookPath(name)
	switch {
	case err != nil && asked:
		return "", fmt.Errorf("--mpicc %s: %w; hint: pass the path of the MPI library's compiler wrapper", name,
			unwrapped(err))
	case err != nil:
		return "", errors.New("no mpicc in PATH; hint: install an MPI library (Debian: libopenmpi-dev or " +
			"libmpich-dev), or pass its compiler wrapper with --mpicc")
	}
	return filepath.Abs(path)
}

// unwrapped is an error of exec without the name that the sentence around it has already.
func unwrapped(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// failed is a compiler that ended with an exit status other than 0, after it has printed why.
type failed struct{ status int }

func (f failed) Error() string { return fmt.Sprintf("exit status %d", f.status) }

// run runs the compiler with its output going to the user.
func (t *runner) run(stdout io.Writer, args ...string) error {
	args = slices.Concat(t.first, args)
	if t.verbose {
		fmt.Fprintln(t.stderr, t.path, strings.Join(args, " "))
	}
	cmd := exec.CommandContext(t.ctx, t.path, args...)
	var told bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, io.MultiWriter(t.stderr, &told)
	if t.said != nil {
		cmd.Stderr = &told
	}
	err := cmd.Run()
	if t.said != nil && told.Len() > 0 {
		io.WriteString(t.stderr, t.said(told.String()))
	}
	if err == nil {
		return nil
	}
	var exit *exec.ExitError
	switch {
	case t.ctx.Err() != nil:
		return t.ctx.Err()
	case !errors.As(err, &exit) && t.native:
		return fmt.Errorf("cannot run %s: %w; hint: pass the UPC compiler with --native", t.path, err)
	case !errors.As(err, &exit):
		return fmt.Errorf("cannot run %s: %w; hint: pass the MPI library's compiler wrapper with --mpicc", t.path, err)
	case !t.native && noCompiler(told.String()):
		return fmt.Errorf("%s finds no C compiler; hint: install gcc", t.path)
	}
	return failed{exit.ExitCode()}
}

// noCompiler says that a wrapper complains of a missing compiler: Open MPI's program in its words, MPICH's script in
// those of the shell.
func noCompiler(told string) bool {
	return strings.Contains(told, "unable to find the specified compiler") ||
		strings.Contains(told, "No underlying compiler") ||
		strings.Contains(told, "gcc: not found") || strings.Contains(told, "gcc: command not found") ||
		strings.Contains(told, "cc: not found")
}
