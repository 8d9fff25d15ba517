package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/supervise"
	"unknot/internal/trace"
	"unknot/internal/trace/chrome"
	"unknot/internal/trace/file"
	"unknot/internal/trace/jsonlog"
	"unknot/internal/trace/show"
	"unknot/internal/trace/text"
)

const traceHelp = `usage: unknot trace show [options] FILE
       unknot trace export --format=FORMAT [-o OUT] FILE
       unknot trace import --format=FORMAT -o FILE IN

Shows a trace recorded by unknot run --trace, and converts it to other formats and back.

    unknot run --trace run.unk mpirun -n 4 ./app
    unknot trace show --rank 2 --limit 20 run.unk
    unknot trace export --format=chrome -o run.json run.unk

{options}
`

// format is one that logs are turned into and, if it has read, made from.
type format struct {
	name  string
	write func(io.Writer, *trace.Log) error
	read  func(r io.Reader, name string) (*trace.Log, error)
}

func formats() []format {
	return []format{
		{"text", text.Write, text.Read},
		{"json", jsonlog.Write, jsonlog.Read},
		{"chrome", chrome.Write, nil},
	}
}

// formatOf finds a format among those that can do what is wanted.
func formatOf(name string, can func(format) bool) (format, error) {
	var names []string
	for _, f := range formats() {
		if !can(f) {
			continue
		}
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return format{}, fmt.Errorf("--format %q: must be %s", name, strings.Join(names, " or "))
}

// tracing is what the options say.
type tracing struct {
	rank, limit int
	format, out string
}

// define defines the options, which all of the subcommands accept.
func (t *tracing) define(f options) {
	f.number(&t.rank, "rank", "R", "show only the calls of rank R")
	f.number(&t.limit, "limit", "N", "show at most N calls (default 0: all)")
	var names []string
	for _, known := range formats() {
		names = append(names, known.name)
	}
	f.text(&t.format, "format", "=F", "text, to read and edit; json, for programs; chrome, for Perfetto or "+
		"chrome://tracing (export only)", complete.Words(names...))
	f.output(&t.out, "FILE", "where to write (export: default standard output)")
}

func traceCommand() *cobra.Command {
	t := tracing{rank: -1}
	c, f := verb("trace", "show|export|import FILE", "show a recorded run, convert it to other formats and back",
		traceHelp)
	t.define(f)
	c.RunE = does(func(_ context.Context, _ []string, _, stderr io.Writer) int {
		return fail(stderr, "trace: expected show, export, import first; hint: `unknot help trace`")
	})
	c.AddCommand(t.verb("show", "show a recorded run", t.show),
		t.verb("export", "convert it to another format", t.export),
		t.verb("import", "make a trace of another format", t.load))
	return c
}

// verb makes a subcommand that does something with one file.
func (t *tracing) verb(name, about string, do func(path string, stdout io.Writer) error) *cobra.Command {
	c, f := verb(name, "[options] FILE", about, "")
	t.define(f)
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) != 1 {
			return fail(stderr, "trace %s: %d files given, expected one; hint: options come before it", name, len(args))
		}
		if t.limit < 0 {
			return fail(stderr, "trace %s: --limit %d: must be 0 or more", name, t.limit)
		}
		err := do(args[0], stdout)
		var wrong wrongUse
		switch {
		case errors.As(err, &wrong):
			return fail(stderr, "trace %s: %v", name, err)
		case err != nil:
			complain(stderr, err)
			return supervise.ExitTool
		}
		return 0
	})
	return c
}

// wrongUse is an error in the command line that its options do not show by themselves.
type wrongUse struct{ error }

func (t *tracing) show(path string, stdout io.Writer) error {
	return showTrace(path, show.Options{Rank: t.rank, Limit: t.limit}, stdout)
}

func (t *tracing) export(path string, stdout io.Writer) error {
	to, err := formatOf(t.format, func(f format) bool { return f.write != nil })
	if err != nil {
		return wrongUse{err}
	}
	return exportTrace(path, to, t.out, stdout)
}

func (t *tracing) load(path string, _ io.Writer) error {
	from, err := formatOf(t.format, func(f format) bool { return f.read != nil })
	if err == nil && t.out == "" {
		err = errors.New("no -o FILE to write the trace to")
	}
	if err != nil {
		return wrongUse{err}
	}
	return importTrace(path, from, t.out)
}

func showTrace(path string, o show.Options, stdout io.Writer) error {
	log, err := file.Read(path)
	if err != nil {
		return err
	}
	if o.Rank >= log.Head.Ranks {
		return fmt.Errorf("trace %s has no rank %d; hint: it has ranks 0 to %d", path, o.Rank, log.Head.Ranks-1)
	}
	return show.Text(stdout, log, o)
}

func exportTrace(path string, to format, out string, stdout io.Writer) error {
	log, err := file.Read(path)
	if err != nil {
		return err
	}
	if out == "" {
		return to.write(stdout, log)
	}
	f, err := os.Create(out)
	if err != nil {
		return fmt.Errorf("%w; hint: choose a path that you may write to", err)
	}
	return errors.Join(to.write(f, log), f.Close())
}

func importTrace(path string, from format, out string) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w; hint: check the path", err)
	}
	defer in.Close()
	log, err := from.read(in, path)
	if err != nil {
		return err
	}
	return file.Write(out, log)
}
