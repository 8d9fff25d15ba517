package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"unknot/internal/predict"
	"unknot/internal/predict/exact"
	"unknot/internal/say/report"
	"unknot/internal/say/report/progress"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

const predictHelp = `usage: unknot predict [options] FILE
       unknot predict --screen [options] [HOST:]PART …

Predicts which deadlocks other matches of wildcard receives or less buffering would cause, from a trace recorded by
unknot run --trace or from a text log, without running anything. Either the recorded calls are proved free of deadlocks, or
each deadlock is reported with the steps that lead to it. A certain one is an error. It is a warning if it assumes that the
program makes the same calls after it has received another message, or that MPI does not buffer.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot predict run.unk
    unknot predict --buffering=none log.txt

With --screen, a run may be in several files, each with the calls of some ranks, as unknot run --trace-parts leaves them. They
may be on other hosts, which ssh reaches, and stay there unless a call is flagged.

    unknot predict --screen run.unk node2:/tmp/run.unk.node2

{options}

Exit status: 0; 66 if there are findings; 2 if the file cannot be read; 3 if it is undecided whether there is a deadlock, or
if unknot failed.
`

func predictCommand() *cobra.Command {
	o, p, to := predict.Options{Version: version, Exact: exact.Options{Max: 20}}, newReporting(), ""
	o.Exact.Budget.Time = time.Minute
	c, f := verb("predict", "[options] FILE", "predict from a recorded run what other schedules would do", predictHelp)
	f.buffering(&o.Exact.Buffering, &o.Exact.Limit)
	f.on(&o.ScreenOnly, "screen", "linear-time screening only, for logs of any size: operations that may be left "+
		"without a partner")
	f.duration(&o.Exact.Budget.Time, "budget", "T", "give up after T (default 1m)")
	f.number(&o.Exact.Max, "max", "N", "report at most N deadlocks (default 20)")
	f.progress(&to)
	p.define(f)
	f.color(&p.Color)
	f.settings()
	c.RunE = does(func(ctx context.Context, args []string, _, stderr io.Writer) int {
		return predictFile(ctx, o, p, to, args, stderr)
	})
	return c
}

func predictFile(ctx context.Context, o predict.Options, p *reporting, to string, args []string, stderr io.Writer) int {
	switch {
	case len(args) != 1 && (len(args) == 0 || !o.ScreenOnly):
		return fail(stderr, "predict: %d files given, expected one; hint: unknot run --trace FILE … writes one",
			len(args))
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
	line := supervise.NewStatus(os.Stderr)
	lines, err := progress.New(to)
	if err != nil {
		return fail(stderr, "predict: %v", err)
	}
	lines.Start("predict", version, args)
	o.Exact.Progress = follow(time.Now(), o.Exact.Budget.Time, func(p report.Predicting) {
		line.Show(p.String())
		lines.Predicting(p)
	})
	var run *finding.Run
	if len(args) == 1 {
		run, err = predict.File(ctx, args[0], o)
	} else {
		run, _, err = predict.Parts(ctx, args, o)
	}
	line.Erase()
	if err != nil {
		lines.End(nil, exitUsage)
		return fail(stderr, "%v", err)
	}
	status := presentPrediction(run, p, stderr)
	lines.End(run, status)
	return status
}

// partCommand is for the processes that read a part of a run each.
func partCommand() *cobra.Command {
	c, _ := verb("part", "FILE", "answer questions on a part of a run; started by unknot predict", partHelp)
	c.Hidden = true
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) != 1 {
			return fail(stderr, "part: %d files given, expected one", len(args))
		}
		if err := predict.ServePart(args[0], os.Stdin, stdout); err != nil {
			complain(stderr, err)
			return supervise.ExitTool
		}
		return 0
	})
	return c
}

const partHelp = "usage: unknot part FILE   (started by unknot predict --screen)\n"

// follow tells how far a search is that began at a time and has a budget: what is left of it takes as long as what is
// done did, by its share.
func follow(began time.Time, budget time.Duration, tell func(report.Predicting)) func(exact.Progress) {
	return func(p exact.Progress) {
		took := time.Since(began)
		left := budget - took
		if p.Share > 0 {
			left = min(left, time.Duration(float64(took)*(1-p.Share)/p.Share))
		}
		tell(report.Predicting{States: p.States, Deadlocks: p.Deadlocks, Share: p.Share, Remaining: left})
	}
}

func presentPrediction(run *finding.Run, p *reporting, stderr io.Writer) int {
	status, err := supervise.Present(run, p.Presentation, os.Stderr)
	if err != nil {
		complain(stderr, err)
	}
	if status == 0 && !run.Complete {
		return supervise.ExitTool
	}
	return status
}
