package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/observe/launch"
	"unknot/internal/supervise"
	"unknot/internal/supervise/recording"
)

const recordHelp = `usage: unknot record [options] COMMAND …
       unknot record --env [--mpicc PATH]

Runs an MPI command line with the recorder, which keeps what each rank does in memory, for some nanoseconds a call. Nothing is
reported. If the job hangs, the record of each rank says what it waits for.

    unknot record mpirun -n 64 ./app
    unknot record srun ./app
    unknot record --env >> job.sh       # for jobs that start without unknot

{options}

Exit status: the program's own; 2 if the command cannot be recorded; 3 if unknot failed.
`

func recordCommand() *cobra.Command {
	o := recording.Options{Say: supervise.NewStatus(os.Stderr).Say}
	env := false
	c, f := verb("record", "[options] COMMAND …", "run a job whose ranks record what they do, in case it hangs", recordHelp)
	f.on(&env, "env", "print the lines of a job script that have its jobs recorded")
	f.compiler(&o.MPICC)
	f.settings()
	c.ValidArgsFunction = complete.UserCommand(0)
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if env {
			return recordEnvironment(ctx, o, args, stdout, stderr)
		}
		o.Argv = args
		exit, err := recording.Run(ctx, o, launch.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
		if err != nil {
			complain(stderr, err)
		}
		return exit
	})
	return c
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
