package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/observe/launch"
	"unknot/internal/say/report"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

const replayHelp = `usage: unknot replay [options] FINDINGS.json COMMAND …

Reproduces a predicted or confirmed finding: runs the command and forces the matches that the finding's story names. The
findings come from unknot predict, explore or run with --json.

    unknot explore --json found.json mpirun -n 8 ./app
    unknot replay found.json mpirun -n 8 ./app
    unknot replay --on-deadlock=leave found.json mpirun -n 8 ./app     # for the debugger

{options}

Exit status: that of unknot run.
`

func replayCommand() *cobra.Command {
	o := watching()
	nth, failOn := 1, string(finding.Error)
	c, f := verb("replay", "FINDINGS.json COMMAND …", "reproduce a predicted or confirmed finding", replayHelp)
	f.number(&nth, "nth", "N", "the Nth finding of the file that has a story (default 1)")
	f.choice(&o.OnDeadlock, "on-deadlock", "end the deadlocked job (default), or keep it for a debugger",
		"stop", "leave")
	f.files(&o.Files)
	f.baseline(&o.Files)
	f.failOn(&failOn)
	f.number(&o.ErrorExit, "error-exitcode", "N", "exit status if there are findings (default 66)")
	f.compiler(&o.MPICC)
	f.color(&o.Color)
	f.settings()
	c.ValidArgsFunction = complete.UserCommand(1)
	c.RunE = does(func(ctx context.Context, args []string, _, stderr io.Writer) int {
		o.FailOn = finding.Severity(failOn)
		return replay(ctx, o, nth, args, stderr)
	})
	return c
}

func replay(ctx context.Context, o supervise.Options, nth int, args []string, stderr io.Writer) int {
	if len(args) < 2 {
		return fail(stderr, "replay: expected a findings file and a command; hint: unknot replay found.json "+
			"mpirun -n 8 ./app")
	}
	if o.ErrorExit < 0 || o.ErrorExit > 255 {
		return fail(stderr, "replay: --error-exitcode %d: must be 0 to 255", o.ErrorExit)
	}
	p, clocks, err := storyPlan(args[0], nth)
	if err != nil {
		return fail(stderr, "replay: %v", err)
	}
	dir, err := os.MkdirTemp("", "unknot-replay-")
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	defer os.RemoveAll(dir)
	o.Argv, o.Plan = args[1:], filepath.Join(dir, "plan")
	if clocks > 0 {
		o.Heed = strconv.Itoa(clocks)
	}
	if err := plan.Write(o.Plan, p); err != nil {
		return fail(stderr, "replay: %v", err)
	}
	return supervise.Run(ctx, o, launch.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// storyPlan is what the nth finding with a story forces, and the number of the other clocks that the program sees then,
// 0 for those of the machine.
func storyPlan(path string, nth int) (p plan.Plan, clocks int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return p, 0, fmt.Errorf("%w; hint: unknot explore --json FILE … writes findings", err)
	}
	defer file.Close()
	run, err := report.ReadJSON(file)
	if err != nil {
		return p, 0, fmt.Errorf("%s: %w", path, err)
	}
	n := 0
	for i := range run.Findings {
		if s := run.Findings[i].Story; s != nil {
			if n++; n == nth {
				return plan.Of(&s.Forced, run.Ranks), s.Forced.Clocks, nil
			}
		}
	}
	if n == 0 {
		return p, 0, fmt.Errorf("%s has no finding that a replay can reproduce; hint: a manifest finding happens "+
			"again under `unknot run`", path)
	}
	return p, 0, fmt.Errorf("--nth %d: %s has %d findings that a replay can reproduce", nth, path, n)
}
