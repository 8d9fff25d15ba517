package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"unknot/internal/attach"
	"unknot/internal/attach/dump"
	"unknot/internal/say/report"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const reportHelp = `usage: unknot report [options] FILE.json …
       unknot report [options] FILE.dump …
       unknot report [options] DIR

Makes reports of results that were saved as JSON. Several results are merged: the same finding in several of them becomes
one, and its counts are added.

    unknot report --report out.sarif --report out.html found.json
    unknot report --report gl-code-quality-report.json tests/*.json

With files of unknot dump, it says of a job what unknot attach would have said when they were written. Several files are those of
one job on several hosts.

    unknot report --report hang.html hang-*.dump

With a directory, it reports on a job on several hosts that lost its root: unknot run or its agent process was killed, or
its host failed. The agents of the other hosts watch their ranks to the end, and leave what they know in files in DIR, which
they name when the root is lost. This command merges these files. If hosts do not share DIR, copy all files into one
directory.

    unknot report --report report.html unknot-parts-2718281828

{options}

Exit status: 0; 66 if there are findings; 2 if there is nothing to report on; 3 if some ranks were not observed, or if unknot
failed.
`

func reportCommand() *cobra.Command {
	p, trace := newReporting(), ""
	c, f := verb("report", "[options] FILE … | DIR",
		"convert and merge saved reports; judge dumps, and what the agents of a lost job have left", reportHelp)
	p.define(f)
	f.file(&trace, "trace", "FILE", "with a DIR: write the recorded calls as one trace, for unknot trace")
	f.color(&p.Color)
	f.settings()
	c.RunE = does(func(_ context.Context, args []string, _, stderr io.Writer) int {
		return reportOn(p, trace, args, stderr)
	})
	return c
}

func reportOn(p *reporting, trace string, args []string, stderr io.Writer) int {
	if len(args) == 0 {
		return fail(stderr, "report: nothing to report on; hint: give files that --json or unknot dump has written, or the "+
			"directory that unknot has named when the root was lost")
	}
	if err := p.check("report"); err != nil {
		return fail(stderr, "%v", err)
	}
	if slices.ContainsFunc(args, dump.Is) {
		return reportDumps(p, trace, args, stderr)
	}
	run, missing, err := resultOf(args, trace)
	if err != nil {
		return fail(stderr, "report: %v", err)
	}
	status, err := supervise.Present(run, p.Presentation, os.Stderr)
	if err != nil {
		complain(stderr, err)
	}
	if status == 0 && missing {
		return supervise.ExitTool
	}
	return status
}

// reportDumps reports on jobs that unknot dump has looked at.
func reportDumps(p *reporting, trace string, args []string, stderr io.Writer) int {
	if i := slices.IndexFunc(args, func(path string) bool { return !dump.Is(path) }); i >= 0 {
		return fail(stderr, "report: %s is no dump, but others are; hint: give either dumps or saved reports", args[i])
	}
	if trace != "" {
		return fail(stderr, "report: --trace %s: dumps hold no trace; hint: omit the option, or give a directory of parts",
			trace)
	}
	table, err := mpi.Load()
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	d, err := dump.Read(args, table)
	if err != nil {
		return fail(stderr, "report: %v", err)
	}
	runs := attach.Judge(d, version)
	if len(runs) > 1 && p.writes() {
		return fail(stderr, "report: %s has %d jobs, and a report is of one; hint: unknot dump --job ID", args[0], len(runs))
	}
	return p.present(runs, stderr)
}

// resultOf is the result that saved reports have together, or that of the parts in a directory; missing says that some
// ranks have none.
func resultOf(args []string, trace string) (run *finding.Run, missing bool, err error) {
	for _, arg := range args {
		switch info, err := os.Stat(arg); {
		case err != nil || !info.IsDir():
			continue
		case len(args) > 1:
			return nil, false,
				fmt.Errorf("%s is a directory and not the only argument; hint: give one directory, or saved "+
					"reports only", arg)
		}
		return supervise.Parts(arg, trace)
	}
	if trace != "" {
		return nil, false, fmt.Errorf("--trace %s: saved reports hold no calls; hint: omit the option, or give a "+
			"directory of parts", trace)
	}
	runs := make([]*finding.Run, len(args))
	for i, arg := range args {
		if runs[i], err = report.ReadFile(arg); err != nil {
			return nil, false, err
		}
	}
	return finding.Merge(runs), false, nil
}
