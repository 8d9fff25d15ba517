package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/internal/access"
)

// compilerCommands are the verbs that stand before the compiler wrappers of MPI and OpenSHMEM.
func compilerCommands() (list []*cobra.Command) {
	about := map[string]string{
		"mpicc":   "compile a C program so that its own accesses to MPI's buffers are seen",
		"mpicxx":  "the same for C++",
		"mpifort": "the same for Fortran",
		"oshcc":   "compile a C program so that its own accesses to symmetric memory are seen",
		"oshcxx":  "the same for C++",
	}
	for _, l := range access.Languages() {
		list = append(list, driven(l.Verb, "[options] FILE …", about[l.Verb], interruptible(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
			return access.Compile(ctx, l, args, os.Stdin, stdout, stderr)
		})))
	}
	return list
}

const wrapHelp = `usage: unknot wrap COMMAND …

Runs a command that builds a program. In its PATH unknot stands before mpicc, mpicxx, mpifort, oshcc, oshcxx and
the other names of compiler wrappers.

    unknot wrap make -j4
    unknot wrap ./configure CC=mpicc

{options}
`

func wrapCommand() *cobra.Command {
	c, _ := verb("wrap", "COMMAND …", "build a program with these compilers", wrapHelp)
	c.RunE = does(interruptible(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) == 0 {
			return fail(stderr, "wrap: expected a command that builds a program, as `unknot wrap make`; hint: `unknot help wrap`")
		}
		self, err := os.Executable()
		if err != nil {
			return fail(stderr, "wrap: %v", err)
		}
		status, err := access.Wrap(ctx, self, args, os.Stdin, stdout, stderr)
		if err != nil {
			complain(stderr, err)
		}
		return status
	}))
	return c
}
