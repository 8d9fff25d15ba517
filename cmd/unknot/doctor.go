package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"unknot/internal/supervise/doctor"
)

const doctorHelp = `usage: unknot doctor [PROGRAM]

Checks what unknot run needs on this machine and, if given a program, whether it can be watched. Each line is ok, warn with
what to improve, or fail with what to fix. The exit status is 1 if unknot run cannot work.
`

func doctorCommand() *cobra.Command {
	c, _ := verb("doctor", "[PROGRAM]", "check MPI, compiler, space and debug information", doctorHelp)
	c.ValidArgsFunction = first(program(func(string) bool { return false }))
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) > 1 {
			return fail(stderr, "doctor: %d programs given, expected at most one", len(args))
		}
		if doctor.Examine(ctx, strings.Join(args, ""), stdout) {
			return 0
		}
		return 1
	})
	return c
}
