package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"unknot/internal/predict"
	"unknot/internal/predict/exact"
	"unknot/internal/supervise"
)

const predictHelp = `usage: unknot predict [options] FILE

Predicts which deadlocks other matches of wildcard receives or less buffering would cause, from a trace recorded by
unknot run --trace or from a text log, without running anything. Either the recorded calls are proved free of deadlocks, or
each deadlock is reported with the steps that lead to it: as an error if it is certain, as a warning if it assumes that the
program makes the same calls after it has received another message, or that MPI does not buffer.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot predict run.unk
    unknot predict --buffering=none log.txt

  --buffering=B               which sends MPI may buffer: any (default), none, infinite, or messages of up to so many bytes
  --screen                    linear-time screening only, for logs of any size: operations that may be left without a partner
  --budget T                  give up after T (default 1m)
  --max N                     report at most N deadlocks (default 20)
  --report FILE.html          write the report as one HTML page
  --json FILE                 write the findings as JSON
  --fail-on=error|warning|predicted
                              lowest severity that sets the exit status (default error); predicted: predicted findings too
  --error-exitcode N          exit status if there are findings of that severity (default 66)
  --color=auto|always|never   colour the report on standard error

Exit status: 0; 66 if there are findings; 2 if the file cannot be read; 3 if it is undecided whether there is a deadlock, or
if unknot failed.
`

func predictCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := predict.Options{Version: version, Exact: exact.Options{Max: 20}}
	f := newFlags("predict", predictHelp, stdout)
	p := newReporting(f)
	f.Var(buffering{&o.Exact.Buffering, &o.Exact.Limit}, "buffering", "")
	f.BoolVar(&o.ScreenOnly, "screen", false, "")
	f.DurationVar(&o.Exact.Budget.Time, "budget", time.Minute, "")
	f.IntVar(&o.Exact.Max, "max", 20, "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	switch {
	case f.NArg() != 1:
		return fail(stderr, "predict: %d files given, expected one; hint: unknot run --trace FILE … writes one", f.NArg())
	case o.Exact.Budget.Time <= 0:
		return fail(stderr, "predict: --budget %v: must be more than 0s", o.Exact.Budget.Time)
	case o.Exact.Max < 1:
		return fail(stderr, "predict: --max %d: must be 1 or more", o.Exact.Max)
	}
	if err := p.check("predict"); err != nil {
		return fail(stderr, "%v", err)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	run, err := predict.File(ctx, f.Arg(0), o)
	if err != nil {
		return fail(stderr, "%v", err)
	}
	status, err := supervise.Present(run, p.Presentation, os.Stderr)
	if err != nil {
		complain(stderr, err)
	}
	if status == 0 && !run.Complete {
		return supervise.ExitTool
	}
	return status
}
