package main

import (
	"context"
	"debug/buildinfo"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"unknot/internal/observe/ring"
	"unknot/internal/upc/driver"
)

func upccCommand() *cobra.Command {
	return driven("upcc", "[options] FILE …", "compile a UPC program for the MPI library of mpicc", driver.Help,
		interruptible(driver.Compile))
}

func upcCheckCommand() *cobra.Command {
	return driven(upcCheck, "[options] FILE …", "compile a UPC program that checks itself while it runs",
		driver.CheckHelp, interruptible(driver.Check))
}

func upcrunCommand() *cobra.Command {
	return driven("upcrun", "[-n N] [options] PROGRAM …", "run a compiled UPC program with N threads", driver.RunHelp,
		interruptible(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
			o := watching()
			args, err := chooseRaces(&o.Races, args)
			if err != nil {
				return fail(stderr, "upcrun: %v", err)
			}
			if os.Getenv(ring.EnvSession) == "" && driver.Records(args) {
				o.Argv = slices.Concat([]string{os.Args[0], "upcrun"}, args)
				return runJob(ctx, o, stderr)
			}
			return driver.Run(ctx, args, os.Stdin, stdout, stderr)
		}))
}

// interruptible ends an action's context when the user wants it ended.
func interruptible(run action) action {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		return run(ctx, args, stdout, stderr)
	}
}

// ofUpcrun gives the arguments of upcrun if that is the command that is to be watched.
func ofUpcrun(argv []string) ([]string, bool) {
	if len(argv) < 2 || argv[1] != "upcrun" || !isUnknot(argv[0]) {
		return nil, false
	}
	return argv[2:], true
}

// isUnknot says whether a command is unknot: us, a copy under another name, or another version. The program says so
// itself, in what Go's linker writes into it.
func isUnknot(command string) bool {
	self, known := debug.ReadBuildInfo()
	path, err := exec.LookPath(command)
	if !known || err != nil {
		return false
	}
	other, err := buildinfo.ReadFile(path)
	return err == nil && other.Path == self.Path
}
