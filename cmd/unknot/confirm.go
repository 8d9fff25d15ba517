package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/say/report"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

const confirmHelp = `usage: unknot confirm [options] FINDINGS.json COMMAND …

Makes data races happen that were found before: those of UPC threads, those of one-sided calls of MPI and OpenSHMEM, and what
is predicted of calls of two threads. It runs the command again, twice for each race, and holds processes or threads so that
two meet at the racing accesses. The findings come from unknot run with --json.

    unknot run --json found.json mpirun -n 4 ./app
    unknot confirm found.json mpirun -n 4 ./app
    unknot confirm --nth 2 found.json unknot upcrun -n 4 ./app

{options}

Exit status: 66 if there are errors, which confirmed races are; otherwise 0; 2 if the command line is wrong.
`

// confirmation is what the options of unknot confirm say.
type confirmation struct {
	nth       int
	limit     time.Duration
	mpicc     string
	reporting *reporting
}

func confirmCommand() *cobra.Command {
	o := confirmation{limit: 2 * time.Minute, reporting: newReporting()}
	c, f := verb("confirm", "FINDINGS.json COMMAND …", "make data races that were found happen", confirmHelp)
	f.number(&o.nth, "nth", "N", "the Nth race of the file only (default 0: all, up to 16)")
	f.duration(&o.limit, "run-timeout", "T", "end a run after T (default 2m)")
	o.reporting.define(f)
	f.compiler(&o.mpicc)
	f.color(&o.reporting.Color)
	f.settings()
	c.ValidArgsFunction = complete.UserCommand(1)
	c.RunE = does(func(ctx context.Context, args []string, _, stderr io.Writer) int { return o.run(ctx, args, stderr) })
	return c
}

func (o *confirmation) run(ctx context.Context, args []string, stderr io.Writer) int {
	switch {
	case len(args) < 2:
		return fail(stderr, "confirm: expected a findings file and a command; hint: unknot confirm found.json unknot "+
			"upcrun -n 4 ./app")
	case o.nth < 0:
		return fail(stderr, "confirm: --nth %d: must be 0 or more", o.nth)
	case o.limit <= 0:
		return fail(stderr, "confirm: --run-timeout %v: must be more than 0s", o.limit)
	}
	if err := o.reporting.check("confirm"); err != nil {
		return fail(stderr, "%v", err)
	}
	run, err := racesOf(args[0], o.nth)
	if err != nil {
		return fail(stderr, "confirm: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	dir, err := os.MkdirTemp("", "unknot-confirm-")
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	c := supervise.Confirmation{Unknot: self, MPICC: o.mpicc, Command: args[1:], Threads: run.Ranks,
		Process: run.Language.Terms().Process, Dir: dir, Limit: o.limit,
		Status: func(what string) { fmt.Fprintf(stderr, "unknot: %s\n", what) },
		Note:   func(what string) { run.Notes = append(run.Notes, what) }}
	if err := c.Conclude(ctx, run.Findings); err != nil {
		return fail(stderr, "%v", err)
	}
	status, err := supervise.Present(run, o.reporting.Presentation, os.Stderr)
	if err != nil {
		complain(stderr, err)
	}
	return status
}

// racesOf is the result in a file with its nth race only, or with all of them.
func racesOf(path string, nth int) (*finding.Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; hint: unknot run --json FILE … writes findings", err)
	}
	defer file.Close()
	run, err := report.ReadJSON(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	run.Findings = slices.DeleteFunc(run.Findings, func(f finding.Finding) bool { return !f.IsRace() })
	n := len(run.Findings)
	switch {
	case n == 0:
		return nil, fmt.Errorf("%s has no data race, no conflict of one-sided calls, and nothing that two threads do by "+
			"chance; hint: unknot run --json %s …, and for UPC compile with `unknot upcc --check=race`", path, path)
	case nth > n:
		return nil, fmt.Errorf("--nth %d: %s has only %d", nth, path, n)
	case nth > 0:
		run.Findings = run.Findings[nth-1 : nth]
	}
	return run, nil
}
