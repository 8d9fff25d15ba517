package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/attach"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/record"
	"unknot/internal/supervise"
	"unknot/internal/supervise/recording"
	"unknot/internal/vocab/finding"
)

const recordHelp = `usage: unknot record [options] COMMAND …
       unknot record --env [--mpicc PATH]

Runs an MPI command line with the recorder, which keeps what each rank does in memory, for some nanoseconds a call. If no rank
on this host completes a call for the time of --stall, it says where each rank is and whether that can end, as unknot attach does.

    unknot record mpirun -n 64 ./app
    unknot record srun ./app
    unknot record --env >> job.sh       # for jobs that start without unknot

{options}

Exit status: the program's own; 66 if --on-deadlock=stop has ended the job; 2 if the command cannot be recorded; 3 if unknot failed.
`

func recordCommand() *cobra.Command {
	o := recording.Options{Say: supervise.NewStatus(os.Stderr).Say, Stall: time.Minute}
	p := newReporting()
	env, onDeadlock := false, "leave"
	c, f := verb("record", "[options] COMMAND …", "run a job whose ranks record what they do, in case it hangs", recordHelp)
	f.on(&env, "env", "print the lines of a job script that have its jobs recorded")
	f.duration(&o.Stall, "stall", "D",
		"say where each rank is when none has completed a call for this long (default 1m; 0s: never)")
	f.choice(&onDeadlock, "on-deadlock", "keep a job whose deadlock is proved (default), or end it", "leave", "stop")
	f.compiler(&o.MPICC)
	p.define(f)
	f.color(&p.Color)
	f.settings()
	c.ValidArgsFunction = complete.UserCommand(0)
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if env {
			return recordEnvironment(ctx, o, args, stdout, stderr)
		}
		if o.Stall < 0 {
			return fail(stderr, "record: --stall %v: must be 0s or more", o.Stall)
		}
		if err := p.check("record"); err != nil {
			return fail(stderr, "%v", err)
		}
		o.Argv = args
		o.Stalled = func(ctx context.Context, launcher int) bool {
			look := attach.Options{PID: launcher, Between: time.Second, Still: o.Stall, Version: version}
			return explainStall(ctx, look, p, stderr) && onDeadlock == "stop"
		}
		o.Ended = func(records []*record.Rank, started time.Time, status int) {
			if run := attach.Ended(records, args, started, status, version); run != nil {
				if _, err := supervise.Present(run, p.Presentation, os.Stderr); err != nil {
					complain(stderr, err)
				}
			}
		}
		exit, err := recording.Run(ctx, o, launch.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
		if err != nil {
			complain(stderr, err)
		}
		return exit
	})
	return c
}

// explainStall says where the ranks of a recorded job are that stands still, unless all of them compute. It says whether
// a deadlock is proved.
func explainStall(ctx context.Context, look attach.Options, p *reporting, stderr io.Writer) (proved bool) {
	defer look.Urgent()()
	runs, err := attach.Look(ctx, look)
	if err != nil {
		complain(stderr, err)
		return false
	}
	for _, run := range runs {
		if len(run.Findings) == 0 {
			continue
		}
		if _, err := supervise.Present(run, p.Presentation, os.Stderr); err != nil {
			complain(stderr, err)
		}
		proved = proved || slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return f.Code == finding.Deadlock })
	}
	return proved
}

// recordEnvironment prints the lines by which a shell has its jobs recorded.
func recordEnvironment(ctx context.Context, o recording.Options, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return fail(stderr, "record: --env takes no command; hint: unknot record %s", args[0])
	}
	path, err := recording.Library(ctx, o)
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	fmt.Fprintf(stdout, "# The recorder of unknot: keeps what each rank does in memory.\n"+
		"export LD_PRELOAD=\"%s${LD_PRELOAD:+:$LD_PRELOAD}\"\n", path)
	return 0
}
