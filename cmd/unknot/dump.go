package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"unknot/internal/attach"
	"unknot/internal/attach/dump"
	"unknot/internal/observe/launch"
	"unknot/internal/supervise"
)

const dumpHelp = `usage: unknot dump [options] [PID] FILE

Saves what unknot attach sees of a job that runs already: where each thread is, its MPI call with arguments, and what the
ranks have recorded. Nothing in the job is changed. unknot report judges the file, later or on another machine, as unknot
attach would have. PID is a process of the job: its launcher or a rank. - stands for standard output.

    unknot dump hang.dump
    unknot report hang.dump

Of a job on several hosts, --host saves all in one file. Else each host writes its own, with %h for its name, and unknot
report judges them together; then less can be proved, as the hosts are not watched at one time.

    unknot dump --host node1,node2 hang.dump
    srun --overlap unknot dump hang-%h.dump && unknot report hang-*.dump

{options}

Exit status: 0; 2 if there is no such job, or it may not be looked at; 3 if the file cannot be written.
`

func dumpCommand() *cobra.Command {
	o, hosts := attach.Options{Between: time.Second, Version: version}, ""
	c, f := verb("dump", "[options] [PID] FILE", "save what is seen of a running job, to report on it later", dumpHelp)
	f.looking(&o, &hosts)
	f.settings()
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		return dumpTo(ctx, o, hosts, args, stdout, stderr)
	})
	return c
}

// looking defines the options that say which jobs are looked at, and how.
func (o options) looking(l *attach.Options, hosts *string) {
	o.text(&l.Job, "job", "ID", "look at the job that its launcher, or the batch system, knows by ID", cobra.NoFileCompletions)
	o.on(&l.All, "all", "look at all jobs of this user on the host, or the hosts")
	o.text(hosts, "host", "LIST", "look at these hosts together, as node1,node2 or node[1-3], by ssh or, inside an\n"+
		"allocation of Slurm, by srun (default: this host)", cobra.NoFileCompletions)
	o.on(&l.Stage, "stage", "with --host: copy unknot to hosts that do not have it")
	o.duration(&l.Between, "watch", "D", "watch the ranks for this long (default 1s)")
	o.on(&l.Kill, "kill", "end the ranks afterwards, with SIGTERM")
}

// lookAt takes the process and the hosts that a command line names, "" for none, and says what is wrong with the options.
func lookAt(o *attach.Options, process, hosts string) (err error) {
	if hosts != "" {
		if o.Hosts, err = launch.HostList(hosts); err != nil {
			return fmt.Errorf("--host %w", err)
		}
	} else if o.Stage {
		return errors.New("--stage is for --host: this host has unknot")
	}
	if process != "" {
		if o.PID, err = strconv.Atoi(process); err != nil || o.PID <= 0 {
			return fmt.Errorf("%q is no number of a process; hint: `pgrep -a mpirun` lists launchers", process)
		}
	}
	if o.Between < 0 {
		return fmt.Errorf("--watch %v: must be 0s or more", o.Between)
	}
	return nil
}

// lookCommand is what unknot runs on each host of --host. It is in no list.
func lookCommand() *cobra.Command {
	o := attach.Options{Version: version}
	c, f := verb("look", "", "look at ranks of this host for unknot on another one", "usage: unknot look\n\n{options}\n")
	c.Hidden = true
	f.duration(&o.Between, "watch", "D", "watch the ranks for this long")
	c.RunE = does(func(ctx context.Context, _ []string, stdout, stderr io.Writer) int {
		if err := attach.Serve(ctx, o, os.Stdin, stdout); err != nil {
			return fail(stderr, "%v", err)
		}
		return 0
	})
	return c
}

func dumpTo(ctx context.Context, o attach.Options, hosts string, args []string, stdout, stderr io.Writer) int {
	process := ""
	switch len(args) {
	case 0:
		return fail(stderr, "dump: no file is named; hint: unknot dump hang.dump")
	case 1:
		if _, err := strconv.Atoi(args[0]); err == nil {
			return fail(stderr, "dump: no file is named after process %[1]s; hint: unknot dump %[1]s hang.dump", args[0])
		}
	case 2:
		process = args[0]
	default:
		return fail(stderr, "dump: %d arguments given, expected a process at most, and a file", len(args))
	}
	if err := lookAt(&o, process, hosts); err != nil {
		return fail(stderr, "dump: %v", err)
	}
	host, _ := os.Hostname() // the kernel always has one
	path := strings.ReplaceAll(args[len(args)-1], "%h", host)
	out, isFile := stdout.(*os.File)
	switch {
	case path == "-" && isFile && term.IsTerminal(int(out.Fd())):
		return fail(stderr, "dump: standard output is a terminal; hint: name a file, or redirect it")
	case path != "-":
		if err := dump.Writable(path); err != nil {
			return fail(stderr, "dump: %v", err)
		}
	}
	_ = o.Urgent() // this process ends next
	d, err := attach.Gather(ctx, o)
	if err != nil {
		return fail(stderr, "dump: %v", err)
	}
	if path != "-" {
		err = dump.Write(path, d)
	} else if text, failed := dump.Encode(d); failed == nil {
		_, err = stdout.Write(text)
	} else {
		err = failed
	}
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	return 0
}
