package main

import (
	"context"
	"io"

	"unknot/internal/supervise/doctor"
)

const doctorHelp = `usage: unknot doctor [PROGRAM]

Checks what unknot run needs on this machine and, if given a program, whether it can be watched. Each line is ok, warn with
what to improve, or fail with what to fix. The exit status is 1 if unknot run cannot work.
`

func doctorCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := newFlags("doctor", doctorHelp, stdout)
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	if f.NArg() > 1 {
		return fail(stderr, "doctor: %d programs given, expected at most one", f.NArg())
	}
	if doctor.Examine(ctx, f.Arg(0), stdout) {
		return 0
	}
	return 1
}
