package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/internal/supervise"
)

const reportHelp = `usage: unknot report [options] DIR

Reports on a job on several hosts whose root was lost: unknot run or its agent process was killed, or its host is gone. The
agents of the other hosts have watched their ranks to the end, and left what they know in files in a directory DIR, which
they name when the root is lost. This command merges these files. If hosts do not share DIR, copy the files of all hosts
into one directory.

    unknot report unknot-parts-2718281828
    unknot report --report report.html unknot-parts-2718281828

{options}

Exit status: 0; 66 if there are findings; 2 if there is nothing to merge; 3 if some ranks were not observed, or if unknot
failed.
`

func reportCommand() *cobra.Command {
	p, trace := newReporting(), ""
	c, f := verb("report", "[options] DIR", "merge what the agents of a job have left whose root was lost", reportHelp)
	p.define(f)
	f.file(&trace, "trace", "FILE", "write what was recorded of the calls as one trace, for unknot trace")
	f.color(&p.Color)
	c.ValidArgsFunction = first(directories)
	c.RunE = does(func(_ context.Context, args []string, _, stderr io.Writer) int {
		return reportParts(p, trace, args, stderr)
	})
	return c
}

func reportParts(p *reporting, trace string, args []string, stderr io.Writer) int {
	if len(args) != 1 {
		return fail(stderr, "report: %d directories given, expected one; hint: give the one that unknot has named when the root was lost", len(args))
	}
	if err := p.check("report"); err != nil {
		return fail(stderr, "%v", err)
	}
	run, missing, err := supervise.Parts(args[0], trace)
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
