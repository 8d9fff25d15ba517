package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/agent"
	"unknot/internal/check/buffers"
	"unknot/internal/observe/launch"
	"unknot/internal/root/link"
	"unknot/internal/root/tree"
	"unknot/internal/supervise"
	"unknot/internal/upc/driver"
	"unknot/internal/upc/races"
	"unknot/internal/vocab/finding"
)

const runHelp = `usage: unknot run [options] COMMAND …

Runs an MPI command line as it is and reports errors on standard error: deadlocks, wrong uses of MPI, ranks that died. A job
that can never end is terminated. unknot's options end at the first word that is not an option; the rest is your command.

    unknot run mpirun -n 4 ./app input.txt
    unknot run --report out.html --json out.json mpirun -n 4 python3 script.py
    unknot run --fail-on=warning srun -n 64 ./app

{options}

Exit status: the program's own; 66 if there are findings; 2 if the command cannot be watched; 3 if unknot failed,
or nothing was watched (--require-watched).
`

// watching are the options of a run that is watched, before any are chosen.
func watching() supervise.Options {
	return supervise.Options{Options: agent.Options{OnDeadlock: "stop", Sends: "strict",
		LivelockTimeout: 30 * time.Second, Stall: time.Minute,
		Distribution: agent.Distribution{LinkTimeout: link.DefaultGrace}},
		Accesses: supervise.AccessesSampled, Color: "auto", FailOn: finding.Error, ErrorExit: supervise.ExitFindings,
		Version: version, Races: races.DefaultOptions()}
}

func runCommand() *cobra.Command {
	o := watching()
	failOn := string(finding.Error)
	c, f := verb("run", "[options] COMMAND …", "run an MPI command line and report its errors", runHelp)
	f.files(&o.Files)
	f.baseline(&o.Files)
	f.file(&o.Trace, "trace", "FILE", "record every MPI call, for unknot trace")
	f.on(&o.TraceParts, "trace-parts", "leave what is recorded on another host there, as FILE.HOST")
	f.progress(&o.Progress)
	f.choice(&o.OnDeadlock, "on-deadlock", "end a deadlocked job (default), or keep it for a debugger", "stop", "leave")
	f.choice(&o.Sends, "sends", "assume that standard sends and collectives never buffer (default), or judge "+
		"this run only",
		"strict", "observed")
	f.file(&o.Suppressions, "suppressions", "FILE", "suppress findings: one rule per line, code[:file[:function]]")
	f.on(&o.NoDefaults, "no-default-suppressions",
		"also report known findings of libraries (unknot checks --suppressions lists them)")
	f.value(selected{&o.Checks, true}, "check", "LIST",
		"also run checks that are off by default: checks, codes, families, or all", complete.Checks)
	f.value(selected{&o.Checks, false}, "no-check", "LIST", "do not run these checks (unknot checks lists them)",
		complete.Checks)
	f.switches(&o.Checks, buffers.SentModified, "check-sent-buffers",
		"compare more of the data that is being sent, to detect changes")
	f.choice(&o.Accesses, "accesses", "which accesses of recompiled code to check: those to pending buffers and "+
		"windows, sampled in loops\n(default), all, those to pending buffers only, or none",
		supervise.AccessesSampled, supervise.AccessesAll, supervise.AccessesBuffers, supervise.AccessesOff)
	f.on(&o.Heap, "check-memory", "also check that buffers on the heap fit their blocks and were not freed before")
	f.list(&o.Owners.Own, "user-code", "PATHS",
		"directories or files whose code is yours, even where packages are installed (default: UNKNOT_USER_CODE)")
	f.list(&o.Owners.Library, "library", "PATHS",
		"directories or files whose code belongs to libraries (default: UNKNOT_LIBRARY_CODE)")
	f.file(&o.Plan, "plan", "FILE", "force a plan: which sources wildcard receives match, which sends are synchronous")
	f.duration(&o.LivelockTimeout, "livelock-timeout", "D",
		"report a rank that polls without success for this long (default 30s)")
	f.duration(&o.Stall, "stall", "D", "report where each rank is when none has completed a call for this "+
		"long (default "+
		"60s, 0s: never)")
	f.failOn(&failOn)
	f.on(&o.Watched, "require-watched", "exit with 3 if no rank was watched and the program did not fail (default "+
		"if the variable CI is set)")
	f.number(&o.ErrorExit, "error-exitcode", "N", "exit status if there are findings of that severity (default 66)")
	for _, c := range raceChoices(&o.Races) {
		f.value(c, c.name, c.argument, c.help+" (UPC)", nil)
	}
	f.on(&o.Races.Confirm, "confirm", confirms)
	f.compiler(&o.MPICC)
	f.on(&o.Stage, "stage", "copy unknot and its probe to hosts of the job that do not have them")
	f.list(&o.Listen, "bind", "LIST", "addresses, with or without a port, at which other hosts of the job join "+
		"(default: detected)")
	f.on(&o.NoFold, "no-fold", "follow every call, also those that repeat")
	f.duration(&o.LinkTimeout, "link-timeout", "D",
		"give up a host whose link has been down for this long (default 30s)")
	f.number(&o.RanksPerAgent, "ranks-per-agent", "N", "use one agent per N ranks (default 0: one for all)")
	f.number(&o.FanIn, "fan-in", "N", "merge the messages of up to N agents on the way to the root, 2 to 64 "+
		"(default 16)")
	f.on(&o.Quiet, "quiet", "no report on standard error, only in files")
	f.color(&o.Color)
	f.settings()
	f.text(&o.Log, "log", "=LIST", "components of unknot to log to standard error", complete.Words(logged()...))
	c.ValidArgsFunction = complete.UserCommand(0)
	c.RunE = does(func(ctx context.Context, args []string, _, stderr io.Writer) int {
		o.Argv, o.FailOn = args, finding.Severity(failOn)
		if err := o.TakeInternal(); err != nil {
			return fail(stderr, "run: %v", err)
		}
		if !c.Flags().Changed("require-watched") {
			o.Watched = isCI(os.Getenv("CI"))
		}
		return runJob(ctx, o, stderr)
	})
	return c
}

// isCI says whether the variable by which CI systems say what they are is set.
func isCI(value string) bool { return value != "" && value != "0" && value != "false" }

// logged are the components that --log names.
func logged() []string { return []string{"detect", "agent", "races"} }

// unlogged is the first component of a list that there is not, "" if all are there.
func unlogged(list string) string {
	for _, c := range strings.Split(list, ",") {
		if list != "" && !slices.Contains(logged(), c) {
			return c
		}
	}
	return ""
}

// owned adds to paths that options name those of the environment, with colons between, and makes all of them absolute.
func owned(paths []string, variable string) (all []string) {
	for _, p := range append(slices.Clone(paths), filepath.SplitList(os.Getenv(variable))...) {
		if at, err := filepath.Abs(p); err == nil && p != "" {
			all = append(all, at)
		}
	}
	return all
}

func runJob(ctx context.Context, o supervise.Options, stderr io.Writer) int {
	o.Owners.Own, o.Owners.Library = owned(o.Owners.Own, "UNKNOT_USER_CODE"),
		owned(o.Owners.Library, "UNKNOT_LIBRARY_CODE")
	switch {
	case o.ErrorExit < 0 || o.ErrorExit > 255:
		return fail(stderr, "run: --error-exitcode %d: must be 0 to 255", o.ErrorExit)
	case o.RanksPerAgent < 0:
		return fail(stderr, "run: --ranks-per-agent %d: must be 0 or more", o.RanksPerAgent)
	case o.FanIn != 0 && (o.FanIn < tree.LeastFanIn || o.FanIn > tree.MostFanIn):
		return fail(stderr, "run: --fan-in %d: must be %d to %d", o.FanIn, tree.LeastFanIn, tree.MostFanIn)
	case o.LivelockTimeout <= 0:
		return fail(stderr, "run: --livelock-timeout %v: must be more than 0s", o.LivelockTimeout)
	case o.Stall < 0:
		return fail(stderr, "run: --stall %v: must be 0s or more", o.Stall)
	case unlogged(o.Log) != "":
		return fail(stderr, "run: --log=%s: no such component; hint: they are %s", unlogged(o.Log),
			strings.Join(logged(), ", "))
	case o.LinkTimeout < time.Second:
		return fail(stderr, "run: --link-timeout %v: must be at least 1s", o.LinkTimeout)
	}
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
