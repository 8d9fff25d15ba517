package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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

  --rank R       show only the calls of rank R
  --limit N      show at most N calls (default 0: all)
  --format=F     text, to read and edit; json, for programs; chrome, for Perfetto or chrome://tracing (export only)
  -o FILE        where to write (export: default standard output)
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

func traceCommand(_ context.Context, args []string, stdout, stderr io.Writer) int {
	verbs := []string{"show", "export", "import"}
	verb := ""
	if len(args) > 0 && slices.Contains(verbs, args[0]) {
		verb, args = args[0], args[1:]
	} else if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return fail(stderr, "trace: expected %s first; hint: `unknot help trace`", strings.Join(verbs, ", "))
	}
	f := newFlags("trace", traceHelp, stdout)
	rank := f.Int("rank", -1, "")
	limit := f.Int("limit", 0, "")
	name := f.String("format", "", "")
	out := f.String("o", "", "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	if f.NArg() != 1 {
		return fail(stderr, "trace %s: %d files given, expected one; hint: options come before it", verb, f.NArg())
	}
	if *limit < 0 {
		return fail(stderr, "trace %s: --limit %d: must be 0 or more", verb, *limit)
	}
	var err error
	switch path := f.Arg(0); verb {
	case "show":
		err = showTrace(path, show.Options{Rank: *rank, Limit: *limit}, stdout)
	case "export":
		to, wrong := formatOf(*name, func(f format) bool { return f.write != nil })
		if wrong != nil {
			return fail(stderr, "trace export: %v", wrong)
		}
		err = exportTrace(path, to, *out, stdout)
	case "import":
		from, wrong := formatOf(*name, func(f format) bool { return f.read != nil })
		if wrong == nil && *out == "" {
			wrong = fmt.Errorf("no -o FILE to write the trace to")
		}
		if wrong != nil {
			return fail(stderr, "trace import: %v", wrong)
		}
		err = importTrace(path, from, *out)
	default:
		return fail(stderr, "trace: expected %s first; hint: `unknot help trace`", strings.Join(verbs, ", "))
	}
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	return 0
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
