package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"unknot/internal/say/report"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

const diffHelp = `usage: unknot diff [options] OLD.json NEW.json

Compares two results that were saved as JSON: which findings are new, which are fixed, and which are the same. A finding is
the same if its fingerprint is: other ranks, line numbers and addresses do not matter.

    unknot run --report old.json mpirun -n 4 ./app
    unknot run --report new.json mpirun -n 4 ./app
    unknot diff old.json new.json

{options}

Exit status: 0; 66 if there are new findings; 2 if a file cannot be read; 3 if unknot failed.
`

func diffCommand() *cobra.Command {
	p := newReporting()
	c, f := verb("diff", "[options] OLD.json NEW.json", "compare two saved reports: new, fixed and the same findings",
		diffHelp)
	p.counting(f)
	f.color(&p.Color)
	f.settings()
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		return diff(p, args, stdout, stderr)
	})
	return c
}

func diff(p *reporting, args []string, stdout, stderr io.Writer) int {
	if len(args) != 2 {
		return fail(stderr, "diff: %d files given, expected two; hint: unknot diff OLD.json NEW.json", len(args))
	}
	if err := p.check("diff"); err != nil {
		return fail(stderr, "%v", err)
	}
	var runs [2]*finding.Run
	for i, path := range args {
		var err error
		if runs[i], err = report.ReadFile(path); err != nil {
			return fail(stderr, "diff: %v", err)
		}
	}
	before, now := runs[0], runs[1]
	finding.Against(before.Findings, now.Findings)
	if err := report.Difference(stdout, before, now, supervise.Shown(p.Color, os.Stdout)); err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	if supervise.Fails(now, p.FailOn) {
		return p.ErrorExit
	}
	return 0
}
