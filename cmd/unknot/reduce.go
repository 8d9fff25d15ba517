package main

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/internal/predict"
	"unknot/internal/supervise"
	"unknot/internal/trace/reduce"
)

const reduceHelp = `usage: unknot reduce [options] TRACE

Makes a C program of at most 200 lines that makes the MPI calls of a trace: of a long one the last calls of each rank, with
all that they match. Send it to the developers of an MPI library that does not complete your program's calls.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot reduce -o reduced.c run.unk
    mpicc -o reduced reduced.c && mpirun -n 4 ./reduced

{options}

Exit status: 0; 2 if the trace cannot be read, or cannot be made such a program; 3 if unknot failed.
`

func reduceCommand() *cobra.Command {
	out := ""
	c, f := verb("reduce", "[options] TRACE", "make a short C program of the calls of a trace", reduceHelp)
	f.output(&out, "FILE", "where to write (default: standard output)")
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		return reduceFile(args, out, stdout, stderr)
	})
	return c
}

func reduceFile(args []string, out string, stdout, stderr io.Writer) int {
	if len(args) != 1 {
		return fail(stderr, "reduce: %d files given, expected one; hint: unknot run --trace FILE … writes one", len(args))
	}
	log, err := predict.Read(args[0])
	if err != nil {
		return fail(stderr, "reduce: %v", err)
	}
	var text bytes.Buffer
	if err := reduce.Program(&text, log); err != nil {
		return fail(stderr, "reduce: %s: %v", args[0], err)
	}
	if out != "" {
		err = os.WriteFile(out, text.Bytes(), 0o644)
	} else {
		_, err = stdout.Write(text.Bytes())
	}
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	return 0
}
