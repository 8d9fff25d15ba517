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

Says which deadlocks other matches of wildcard receives or less buffering would cause, from what unknot run --trace has
recorded, or from a text log, without running anything. Either there is none for the recorded calls, which is a proof, or each
is reported with the way that leads to it: as an error if it is certain, as a warning if it supposes that the program makes the
same calls after it has received something else, or that MPI does not buffer.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot predict run.unk
    unknot predict --buffering=none log.txt

  --buffering=B               which sends MPI may buffer: any (default), none, infinite, or messages of so many bytes
  --screen                    only the linear screening, for logs of any size: operations that may be left without a partner
  --budget T                  give up after T and say so (default 1m)
  --max N                     tell at most N deadlocks (default 20)
  --report FILE.html          write the report as one HTML page
  --json FILE                 write the findings as JSON
  --fail-on=error|warning|predicted
                              the mildest severity that turns the exit status (default error); predicted: any predicted finding, too
  --error-exitcode N          exit status if findings of that severity stand (default 66)
  --color=auto|always|never   colours of the report on standard error

Exit status: 0; 66 if findings stand; 2 for a file that cannot be read; 3 if it is not decided whether there is a deadlock, or
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
		return fail(stderr, "predict: %d files given, want one; hint: unknot run --trace FILE … makes one", f.NArg())
	case o.Exact.Budget.Time <= 0:
		return fail(stderr, "predict: --budget %v: want more than 0s", o.Exact.Budget.Time)
	case o.Exact.Max < 1:
		return fail(stderr, "predict: --max %d: want 1 or more", o.Exact.Max)
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
