package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/observe/launch"
)

// Run starts a compiled program with the launcher of its MPI library and returns the exit status.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	r, err := parseRun(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "unknot upcrun: %v\n", err)
		return exitUsage
	case r.help:
		fmt.Fprint(stdout, RunHelp)
		return 0
	}
	command, err := r.command()
	if err != nil {
		fmt.Fprintf(stderr, "unknot upcrun: %v\n", err)
		return exitUsage
	}
	launcher := command[0]
	cmd := exec.CommandContext(ctx, launcher, command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Env = append(os.Environ(), oversubscribed(os.Environ())...)
	// A launcher that is asked to end takes its processes with it.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case errors.As(err, &exit):
		return 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
	}
	fmt.Fprintf(stderr, "unknot upcrun: %s: %v\n", launcher, err)
	return exitFailed
}

// Command is the launcher's command line for one of `unknot upcrun`, and what is to be set in its environment.
func Command(args, environ []string) (argv, settings []string, err error) {
	r, err := parseRun(args)
	if err == nil && r.help {
		err = errors.New("upcrun: no program to run; hint: unknot upcrun -n 4 ./program")
	}
	if err == nil {
		argv, err = r.command()
	}
	return argv, oversubscribed(environ), err
}

// Records says whether the program of a command line of `unknot upcrun` records its accesses to shared memory, for
// somebody who watches it.
func Records(args []string) bool {
	r, err := parseRun(args)
	if err != nil || r.help {
		return false
	}
	path, err := launch.FindProgram(r.program[0])
	if err != nil {
		return false
	}
	c, err := readClaims(path)
	return err == nil && len(c.recorded) > 0
}

// command is the launcher's command line.
func (r *running) command() ([]string, error) {
	path, err := launch.FindProgram(r.program[0])
	if err != nil {
		return nil, err
	}
	r.program[0] = path
	if err := r.complete(path); err != nil {
		return nil, err
	}
	launcher, err := launch.LauncherOf(path)
	if err != nil {
		return nil, err
	}
	return append([]string{launcher, "-n", strconv.Itoa(r.threads)}, r.program...), nil
}

// running is a command line of upcrun.
type running struct {
	threads int // 0 if the command line does not say
	program []string
	help    bool
}

func parseRun(args []string) (*running, error) {
	r := &running{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--help" || arg == "-h":
			r.help = true
			return r, nil
		case strings.HasPrefix(arg, "-n"):
			text := arg[2:]
			if text == "" {
				i++
				if i == len(args) {
					return nil, errors.New("-n needs a number of threads")
				}
				text = args[i]
			}
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > maxThreads {
				return nil, fmt.Errorf("-n %s: expected 1 to %d threads", text, maxThreads)
			}
			r.threads = n
		case strings.HasPrefix(arg, "-"):
			return nil, fmt.Errorf("no option %s; hint: other options are the launcher's: use mpirun %s …", arg, arg)
		default:
			r.program = append(r.program, args[i:]...)
			return r, nil
		}
	}
	return nil, errors.New("no program to run; hint: unknot upcrun -n 4 ./program")
}

// complete takes the number of threads from a program that was compiled for one, if the command line does not say it.
func (r *running) complete(path string) error {
	if r.threads > 0 {
		return nil
	}
	c, err := readClaims(path)
	if err != nil {
		return err
	}
	for _, d := range c.threads {
		if n, err := strconv.Atoi(d.typ); err == nil {
			r.threads = n
			return nil
		}
	}
	return fmt.Errorf("the number of threads is unknown; hint: unknot upcrun -n 4 %s", path)
}

// oversubscribed are settings that let Open MPI start more threads than there are cores, unless the user has other
// settings. (MPICH does so by itself.)

func oversubscribed(environ []string) []string {
	var all []string
	for _, setting := range []string{"OMPI_MCA_rmaps_base_oversubscribe=1",
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"} {
		name, _, _ := strings.Cut(setting, "=")
		set := false
		for _, e := range environ {
			set = set || strings.HasPrefix(e, name+"=")
		}
		if !set {
			all = append(all, setting)
		}
	}
	return all
}
