package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/internal/observe/access"
)

const compilerHelp = `usage: unknot %[1]s [%[2]sPATH] …

Calls the compiler wrapper %[1]s with the same arguments and a few more, so that unknot run also sees the loads and stores by
which the program accesses %[3]s. What is printed and the exit status are those of the wrapper, also with
--help.

    unknot %[1]s -g -O2 -o app %[4]s
    unknot run %[5]s -n 4 ./app

  %[2]sPATH   the wrapper to call; must come first

Environment variables:
  %[6]s   the wrapper to call, unless %[2]sPATH is given
`

// compilerCommands are the verbs that stand before the compiler wrappers of MPI and OpenSHMEM.
func compilerCommands() (list []*cobra.Command) {
	language := map[string]struct{ name, source string }{
		"mpicc": {"C", "app.c"}, "mpicxx": {"C++", "app.cc"}, "mpifort": {"Fortran", "app.f90"},
		"oshcc": {"C", "app.c"}, "oshcxx": {"C++", "app.cc"}, "oshfort": {"Fortran", "app.f90"},
	}
	for _, l := range access.Languages() {
		of, memory, start := language[l.Verb], "MPI's buffers", "mpirun"
		if l.Symmetric() {
			memory, start = "symmetric memory", "oshrun"
		}
		about := fmt.Sprintf("compile a %s program so that its own accesses to %s are seen", of.name, memory)
		help := fmt.Sprintf(compilerHelp, l.Verb, l.Option, memory, of.source, start, l.Env)
		list = append(list, driven(l.Verb, "[options] FILE …", about, help,
			interruptible(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return access.Compile(ctx, l, args, os.Stdin, stdout, stderr)
			})))
	}
	return list
}

const wrapHelp = `usage: unknot wrap COMMAND …

Runs a command that builds a program. In its PATH, mpicc, mpicxx, mpifort, oshcc, oshcxx, oshfort and the other names of
compiler wrappers call unknot, which calls the wrapper.

    unknot wrap make -j4
    unknot wrap ./configure CC=mpicc

{options}
`

func wrapCommand() *cobra.Command {
	c, _ := verb("wrap", "COMMAND …", "build a program so that its own accesses to memory are seen", wrapHelp)
	c.RunE = does(interruptible(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) == 0 {
			return fail(stderr, "wrap: expected a command that builds a program, as `unknot wrap make`; hint: "+
				"`unknot help wrap`")
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
