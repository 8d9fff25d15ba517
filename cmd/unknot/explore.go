package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/check"
	"unknot/internal/explore"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/predict/exact"
	"unknot/internal/say/report"
	"unknot/internal/say/report/progress"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

const exploreHelp = `usage: unknot explore [options] COMMAND …

Runs an MPI command line and predicts the deadlocks that other matches of its wildcard receives or less buffering would cause.
Confirms each by a run in which the matches are forced. Then it tries the other choices that MPI may make and that no run has
shown, until none is left or a limit is reached. The program's output is shown for the first run only.

    unknot explore mpirun -n 8 ./app
    unknot explore --exhaustive mpirun -n 4 ./app
    unknot explore --max-runs 100 --report out.html mpirun -n 8 ./app
    unknot explore --resume mpirun -n 8 ./app
    unknot explore --parallel 4 srun -n 8 ./app    # in an allocation of Slurm: steps of it

{options}

Exit status: 0; 66 if there are findings; 2 if the command cannot be watched; 3 if the result is undecided or unknot failed.
`

// strategies describes --strategy.
const strategies = `predictive (default): predict, confirm, and try other choices of MPI, for 200 runs or a
minute; exhaustive: the same as --exhaustive; poe: every match; mspoe: matches that compete
with a receive from a named source; random: every match, in random order`

func exploreCommand() *cobra.Command {
	e := exploration{Options: explore.Options{Parallel: 1, OtherClocks: 3, Seed: 1, Version: version},
		strategy: string(explore.Predictive), reporting: newReporting()}
	c, f := verb("explore", "[options] COMMAND …", "find deadlocks that a run does not show, and make them happen",
		exploreHelp)
	f.on(&e.exhaustive, "exhaustive", "continue until every choice that MPI may make was tried in every control flow")
	f.value(choice{&e.strategy, explore.Strategies()}, "strategy", "=S", strategies,
		complete.Words(explore.Strategies()...))
	f.buffering(&e.Buffering, &e.Limit)
	f.number(&e.MaxRuns, "max-runs", "N", "make at most N runs (default 0: no limit)")
	f.duration(&e.Time, "timeout", "T", "stop after T, such as 10m (default 0: no limit)")
	f.duration(&e.RunTime, "run-timeout", "T",
		"end a run after T (default: 10 times as long as the first run, plus 20 s)")
	f.duration(&e.Livelock, "livelock-timeout", "T",
		"how long a rank may poll for what can never come (default 10s, in the first run 30s)")
	f.number(&e.Parallel, "parallel", "N",
		`make N runs at a time, with the same result (default 1): inside an allocation of Slurm those
of srun as its steps, otherwise as jobs on this host`)
	f.number(&e.OtherClocks, "other-clocks", "N",
		`before a program that asks for the time or random numbers is called free, make N more runs in
which it sees others (default 3; 0 for none)`)
	f.on(&e.Resume, "resume", "continue an exploration of the same command that was stopped")
	f.directory(&e.Dir, "state", "where the state is kept (default: the user's cache directory, by command)")
	f.unsigned(&e.Seed, "seed", "N", "the order of --strategy=random (default 1)")
	f.value(selected{&e.checks, true}, "check", "LIST",
		"also run these usage checks in each run: checks, codes or families, such as portability", complete.Checks)
	f.progress(&e.progress)
	e.reporting.define(f)
	f.compiler(&e.mpicc)
	f.color(&e.reporting.Color)
	f.settings()
	c.ValidArgsFunction = complete.UserCommand(0)
	c.RunE = does(e.run)
	return c
}

// exploration is what the options say.
type exploration struct {
	explore.Options
	strategy, mpicc string
	progress        string // where lines of package progress go
	checks          check.Selection
	exhaustive      bool
	reporting       *reporting
}

// depending are the usage checks whose findings depend on which message meets which receive.
const depending = "message-truncated,type-mismatch,collective-data-mismatch"

func (e *exploration) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, p, strategy, mpicc := e.Options, e.reporting, e.strategy, e.mpicc
	o.Output = explore.Output{In: os.Stdin, Out: stdout, Err: stderr}
	switch {
	case e.exhaustive && strategy != string(explore.Predictive) && strategy != string(explore.Exhaustive):
		return fail(stderr, "explore: --exhaustive conflicts with --strategy=%s", strategy)
	case o.MaxRuns < 0:
		return fail(stderr, "explore: --max-runs %d: must be 0 or more", o.MaxRuns)
	case o.OtherClocks < 0:
		return fail(stderr, "explore: --other-clocks %d: must be 0 or more", o.OtherClocks)
	case o.Parallel < 1:
		return fail(stderr, "explore: --parallel %d: must be 1 or more", o.Parallel)
	case o.Livelock < 0:
		return fail(stderr, "explore: --livelock-timeout %v: must be more than 0s", o.Livelock)
	case o.Time < 0 || o.RunTime < 0:
		return fail(stderr, "explore: negative time limit; hint: omit the option for no limit")
	}
	if e.exhaustive {
		strategy = string(explore.Exhaustive)
	}
	o.Argv, o.Strategy = args, explore.Strategy(strategy)
	// deadlocks are what is explored, and what else depends on matches
	o.RunArgs = append(o.RunArgs, "--no-check=all", "--check="+depending)
	for _, c := range e.checks {
		o.RunArgs = append(o.RunArgs, "--check="+c.Name)
	}
	if mpicc != "" {
		o.RunArgs = append(o.RunArgs, "--mpicc", mpicc)
	}
	if err := p.check("explore"); err != nil {
		return fail(stderr, "%v", err)
	}
	job, err := launch.Recognise(o.Argv, launch.Options{MPICC: mpicc})
	if err != nil {
		return fail(stderr, "%v", err)
	}
	o.Ranks, o.Beside = job.Ranks, job.Beside(o.Parallel, os.Environ())
	if o.Buffering == exact.BufferNone && o.Ranks == 0 {
		return fail(stderr, "explore: --buffering=none needs the number of ranks; hint: pass -n to the launcher")
	}
	if o.Dir == "" {
		if o.Dir, err = stateDir(o.Argv); err != nil {
			return fail(stderr, "explore: %v; hint: choose a directory with --state", err)
		}
	}
	if o.Unknot, err = os.Executable(); err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	line := supervise.NewStatus(os.Stderr)
	lines, err := progress.New(e.progress)
	if err != nil {
		return fail(stderr, "explore: %v", err)
	}
	lines.Start("explore", version, o.Argv)
	o.Progress = func(e report.Exploring) {
		line.Show(e.String())
		lines.Exploring(e)
	}
	found := 0
	o.Found = func(run *finding.Run) {
		line.Erase()
		_ = p.Announce(run, os.Stderr) // what cannot be shown now cannot be in the end, which is said then
		lines.Found(found, &run.Findings[0])
		found++
	}
	removed, err := prebuild(ctx, line, job)
	if err != nil {
		line.Erase()
		complain(stderr, err)
		return supervise.ExitTool
	}
	defer removed()
	run, err := explore.Run(ctx, o)
	line.Erase()
	status := e.present(run, err, stderr)
	lines.End(run, status)
	return status
}

// present shows the result, if there is one, and gives the exit status.
func (e *exploration) present(run *finding.Run, err error, stderr io.Writer) int {
	if run == nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	if err != nil {
		complain(stderr, err)
		if len(run.Findings) == 0 {
			return supervise.ExitTool
		}
	}
	status, perr := supervise.Present(run, e.reporting.Presentation, os.Stderr)
	if perr != nil {
		complain(stderr, perr)
	}
	if status == 0 && err != nil {
		return supervise.ExitTool
	}
	return status
}

// prebuild makes the probe before the first run, and before a time limit begins to run. Where it cannot be kept for
// later runs, those of this exploration share one in a directory that is removed at its end. What keeps it from being
// made is reported by the first run.
func prebuild(ctx context.Context, line *supervise.Status, job *launch.Job) (removed func(), err error) {
	removed = func() {}
	if job.MPICC == "" || os.Getenv("UNKNOT_PROBE_DIR") != "" {
		return removed, nil
	}
	dir, err := os.MkdirTemp("", "unknot-probe-")
	if err != nil {
		return removed, err
	}
	remove := func() { os.RemoveAll(dir) }
	line.Show("preparing the probe for " + job.MPI.Family.String())
	p, err := probe.Build(ctx, probe.Options{MPICC: job.MPICC, FallbackDir: dir, Soname: job.MPI.Soname,
		Family: job.MPI.Family.String(), Library: job.MPI.Path, Say: line.Say})
	if err != nil || filepath.Dir(p.Path) != dir {
		remove()
		return removed, nil
	}
	line.Say(p.Note)
	return remove, os.Setenv("UNKNOT_PROBE_DIR", dir)
}

// stateDir is where the exploration of a command in this directory is kept.
func stateDir(argv []string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, here+"\x00"+strings.Join(argv, "\x00"))
	return filepath.Join(cache, "unknot", "explore", fmt.Sprintf("%016x", h.Sum64())), nil
}
