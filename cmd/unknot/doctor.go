package main

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/observe/launch"
	"unknot/internal/supervise/doctor"
)

const doctorHelp = `usage: unknot doctor [PROGRAM]
       unknot doctor --hosts NAMES
       unknot doctor --hosts COMMAND …

Checks what unknot run needs on this machine and, if given a program, whether it can be watched. With --hosts it checks other
hosts instead: a comma-separated list of NAMES, or the hosts that the command line of a job names.

    unknot doctor ./app
    unknot doctor --hosts node1,node2
    unknot doctor --hosts mpirun -host node1,node2 ./app

{options}

Each line is ok, warn with what to improve, or fail with what to fix. The exit status is 1 if unknot run cannot work.
`

func doctorCommand() *cobra.Command {
	var others, asJSON bool
	var bind []string
	c, f := verb("doctor", "[PROGRAM]", "check MPI, compiler, space and debug information", doctorHelp)
	f.on(&others, "hosts", "check other hosts: what they have, and whether they reach this one")
	f.list(&bind, "bind", "LIST", "with --hosts: addresses of this host that they are to reach (default: detected)")
	f.json(&asJSON)
	c.ValidArgsFunction = complete.First(complete.Program(func(string) bool { return false }))
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		switch {
		case len(bind) > 0 && !others:
			return fail(stderr, "doctor: --bind is for --hosts: this machine needs no address to reach itself")
		case others:
			return examineHosts(ctx, doctor.Hosts{Bind: bind, Version: version}, args, asJSON, stdout, stderr)
		case len(args) > 1:
			return fail(stderr, "doctor: %d programs given, expected at most one", len(args))
		}
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		outcome := &outcomes{json: asJSON, to: stdout}
		good := doctor.Examine(ctx, strings.Join(args, ""), outcome.take)
		if ctx.Err() != nil {
			return fail(stderr, "doctor: interrupted")
		}
		return outcome.end(good)
	})
	return c
}

// outcomes are those of an examination: printed as they come, or written as JSON in the end.
type outcomes struct {
	json   bool
	to     io.Writer
	checks []doctor.Check
}

func (o *outcomes) take(c doctor.Check) {
	o.checks = append(o.checks, c)
	if !o.json {
		fmt.Fprintln(o.to, c)
	}
}

// end gives the exit status.
func (o *outcomes) end(good bool) int {
	if o.json {
		writeJSON(o.to, struct {
			Schema string         `json:"schema"`
			Unknot string         `json:"unknot"`
			Works  bool           `json:"works"`
			Checks []doctor.Check `json:"checks"`
		}{"unknot.doctor/1", version, good, o.checks})
	}
	if good {
		return 0
	}
	return 1
}

func examineHosts(ctx context.Context, o doctor.Hosts, args []string, asJSON bool, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 1 && !launch.IsLauncher(filepath.Base(args[0])):
		o.Names = strings.Split(args[0], ",")
	case len(args) > 0:
		o.Command = args
	}
	outcome := &outcomes{json: asJSON, to: stdout}
	good, err := doctor.ExamineHosts(ctx, o, outcome.take)
	if err != nil {
		return fail(stderr, "doctor: %v", err)
	}
	return outcome.end(good)
}
