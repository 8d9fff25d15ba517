package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"unknot/internal/attach/dump"
	"unknot/internal/attach/past"
	"unknot/internal/predict"
	"unknot/internal/supervise"
	"unknot/internal/trace"
	"unknot/internal/trace/reduce"
	"unknot/internal/vocab/mpi"
)

const reduceHelp = `usage: unknot reduce [options] TRACE
       unknot reduce [options] FILE.dump …

Makes a C program of at most 200 lines that makes the MPI calls of a trace: of a long one the last calls of each rank,
with all that they match. Send it to the developers of an MPI library that does not complete your program's calls.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot reduce -o reduced.c run.unk
    mpicc -o reduced reduced.c && mpirun -n 4 ./reduced

With a file of unknot dump, it makes the last calls of a job that unknot record has started. Several files are those of one
job on several hosts.

    unknot dump hang.dump
    unknot reduce -o reduced.c hang.dump

{options}

Exit status: 0; 2 if the file cannot be read, or cannot be made such a program; 3 if unknot failed.
`

func reduceCommand() *cobra.Command {
	out := ""
	c, f := verb("reduce", "[options] FILE …", "make a short C program of the calls of a trace, or of a recorded job",
		reduceHelp)
	f.output(&out, "FILE", "where to write (default: standard output)")
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		return reduceFile(args, out, stdout, stderr)
	})
	return c
}

func reduceFile(args []string, out string, stdout, stderr io.Writer) int {
	log, err := logOf(args)
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

// logOf is the log of a trace, or of the job of dumps.
func logOf(args []string) (*trace.Log, error) {
	switch dumps := slices.ContainsFunc(args, dump.Is); {
	case len(args) == 0:
		return nil, errors.New("no file given; hint: unknot run --trace FILE … writes one, or unknot dump FILE")
	case len(args) > 1 && !dumps:
		return nil, fmt.Errorf("%d traces given, expected one", len(args))
	case !dumps:
		return predict.Read(args[0])
	}
	if i := slices.IndexFunc(args, func(path string) bool { return !dump.Is(path) }); i >= 0 {
		return nil, fmt.Errorf("%s is no dump, but others are; hint: give either a trace or dumps", args[i])
	}
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	d, err := dump.Read(args, table)
	if err != nil {
		return nil, err
	}
	jobs := d.Jobs()
	switch len(jobs) {
	case 0:
		return nil, fmt.Errorf("%s has no ranks; hint: make another dump", args[0])
	case 1:
	default:
		return nil, fmt.Errorf("%s: %d jobs (%s), and a program is of one; hint: unknot dump --job ID",
			strings.Join(args, ", "), len(jobs), strings.Join(jobs, ", "))
	}
	log, err := past.Log(d.Of(jobs[0]))
	if err != nil {
		return nil, fmt.Errorf("%s %w", args[0], err)
	}
	return log, nil
}
