package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"unknot/internal/attach"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

const attachHelp = `usage: unknot attach [options] [PID]

Looks at a job that runs already and was not started under unknot: where each rank is, who waits for whom, and whether that can
end. Nothing in the job is changed. PID is a process of the job: its launcher or a rank. Without one it looks at
the only job on this host.

    unknot attach
    unknot attach 2718
    unknot attach --host node1,node2

A deadlock is called proved (an error) only if it follows from calls that have lasted while they were watched, with arguments
that are known. Else it is likely (a warning), and the report says what is not known.

{options}

Exit status: 0; 66 if a deadlock is proved; 2 if there is no such job, or it may not be looked at; 3 if unknot failed.
`

func attachCommand() *cobra.Command {
	o, p, hosts := attach.Options{Between: time.Second, Version: version}, newReporting(), ""
	c, f := verb("attach", "[options] [PID]", "say where the ranks of a running job are, and whether they wait forever",
		attachHelp)
	f.looking(&o, &hosts)
	p.define(f)
	f.color(&p.Color)
	f.settings()
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(ctx context.Context, args []string, _, stderr io.Writer) int {
		return attachTo(ctx, o, hosts, p, args, stderr)
	})
	return c
}

func attachTo(ctx context.Context, o attach.Options, hosts string, p *reporting, args []string, stderr io.Writer) int {
	if len(args) > 1 {
		return fail(stderr, "attach: %d arguments given, expected a process at most", len(args))
	}
	if err := lookAt(&o, strings.Join(args, ""), hosts); err != nil {
		return fail(stderr, "attach: %v", err)
	}
	if err := p.check("attach"); err != nil {
		return fail(stderr, "%v", err)
	}
	_ = o.Urgent() // this process ends next
	runs, err := attach.Look(ctx, o)
	if err != nil {
		return fail(stderr, "attach: %v", err)
	}
	if len(runs) > 1 && p.writes() {
		return fail(stderr, "attach: %d jobs were looked at, and a report is of one; hint: --job ID", len(runs))
	}
	return p.present(runs, stderr)
}

// writes says whether a report goes to a file, which is of one job.
func (r *reporting) writes() bool { return len(r.Reports) > 0 || r.JSON != "" }

// present shows the results of jobs, one after the other, and gives the exit status.
func (r *reporting) present(runs []*finding.Run, stderr io.Writer) (worst int) {
	for _, run := range runs {
		status, err := supervise.Present(run, r.Presentation, os.Stderr)
		if err != nil {
			complain(stderr, err)
		}
		worst = max(worst, status)
	}
	return worst
}
