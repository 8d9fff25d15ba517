package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"unknot/internal/agent"
	"unknot/internal/check/buffers"
	"unknot/internal/check/registry"
	"unknot/internal/finding"
	"unknot/internal/launch"
	"unknot/internal/supervise"
	"unknot/internal/upc/driver"
)

const runHelp = `usage: unknot run [options] COMMAND …

Runs an MPI command line as it is and reports errors on standard error: deadlocks, wrong uses of MPI, ranks that died. A job
that can never end is terminated. unknot's options end at the first word that is not an option; the rest is your command.

    unknot run mpirun -n 4 ./app input.txt
    unknot run --report out.html --json out.json mpirun -n 4 python3 script.py
    unknot run --fail-on=warning srun -n 64 ./app

  --report FILE.html          write the report as one HTML page
  --json FILE                 write the findings as JSON
  --trace FILE                record every MPI call, for unknot trace
  --on-deadlock=stop|leave    end a deadlocked job (default), or keep it for a debugger
  --sends=strict|observed     assume that standard sends and collectives never buffer (default), or judge this run only
  --suppressions FILE         suppress findings: one rule per line, code[:file[:function]]
  --no-default-suppressions   also report known findings of libraries (unknot checks --suppressions lists them)
  --check LIST                also run checks that are off by default: checks, codes, families, or all
  --no-check LIST             do not run these checks (unknot checks lists them)
  --check-sent-buffers        compare more of the data that is being sent, to detect changes
  --check-memory              also check that buffers in the heap fit their blocks and are not freed too early
  --plan FILE                 force a plan: which sources wildcard receives match, which sends are synchronous
  --livelock-timeout D        report a rank that polls without success for this long (default 30s)
  --fail-on=error|warning     lowest severity that sets the exit status (default error)
  --error-exitcode N          exit status if there are findings of that severity (default 66)
  --mpicc PATH                compiler wrapper of the program's MPI library (default: detected)
  --ranks-per-agent N         use one agent per N ranks (default 0: one for all)
  --quiet                     no report on standard error, only in files
  --color=auto|always|never   colour the report on standard error
  --log=LIST                  components of unknot to log to standard error

Exit status: the program's own; 66 if there are findings; 2 if the command cannot be watched; 3 if unknot failed.
`

func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := supervise.Options{Options: agent.Options{OnDeadlock: "stop", Sends: "strict"}, Color: "auto", Version: version}
	failOn := string(finding.Error)
	f := newFlags("run", runHelp, stdout)
	f.StringVar(&o.HTML, "report", "", "")
	f.StringVar(&o.JSON, "json", "", "")
	f.StringVar(&o.Trace, "trace", "", "")
	f.Var(choice{&o.OnDeadlock, []string{"stop", "leave"}}, "on-deadlock", "")
	f.Var(choice{&o.Sends, []string{"strict", "observed"}}, "sends", "")
	f.Var(choice{&o.Color, []string{"auto", "always", "never"}}, "color", "")
	f.Var(choice{&failOn, []string{string(finding.Error), string(finding.Warning)}}, "fail-on", "")
	f.StringVar(&o.Suppressions, "suppressions", "", "")
	f.BoolVar(&o.NoDefaults, "no-default-suppressions", false, "")
	f.StringVar(&o.Plan, "plan", "", "")
	f.DurationVar(&o.LivelockTimeout, "livelock-timeout", 30*time.Second, "")
	f.IntVar(&o.ErrorExit, "error-exitcode", supervise.ExitFindings, "")
	f.IntVar(&o.RanksPerAgent, "ranks-per-agent", 0, "")
	f.StringVar(&o.MPICC, "mpicc", "", "")
	f.BoolVar(&o.Quiet, "quiet", false, "")
	f.StringVar(&o.Log, "log", "", "")
	f.Func("check", "", func(names string) error { return registry.Choose(&o.Checks, names, true) })
	f.Func("no-check", "", func(names string) error { return registry.Choose(&o.Checks, names, false) })
	f.BoolFunc("check-sent-buffers", "", func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q: must be true or false", text)
		}
		return registry.Choose(&o.Checks, string(buffers.SentModified), on)
	})
	f.BoolVar(&o.Heap, "check-memory", false, "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	switch {
	case o.ErrorExit < 0 || o.ErrorExit > 255:
		return fail(stderr, "run: --error-exitcode %d: must be 0 to 255", o.ErrorExit)
	case o.RanksPerAgent < 0:
		return fail(stderr, "run: --ranks-per-agent %d: must be 0 or more", o.RanksPerAgent)
	case o.LivelockTimeout <= 0:
		return fail(stderr, "run: --livelock-timeout %v: must be more than 0s", o.LivelockTimeout)
	}
	o.Argv, o.FailOn = f.Args(), finding.Severity(failOn)
	if rest, ok := ofUpcrun(o.Argv); ok {
		o.Given = o.Argv
		argv, settings, err := driver.Command(rest, os.Environ())
		if err != nil {
			return fail(stderr, "%v", err)
		}
		o.Argv = argv
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			os.Setenv(name, value)
		}
	}
	return supervise.Run(ctx, o, launch.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
