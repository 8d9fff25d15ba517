package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"unknot/internal/supervise"
)

// newFlags makes a flag set whose help is ours.
func newFlags(name, help string, stdout io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() { fmt.Fprint(stdout, help) }
	return f
}

// parse parses args. If it returns false, the command ends with the status.
func parse(f *flag.FlagSet, args []string, stderr io.Writer) (status int, ok bool) {
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0, false
	case err != nil:
		return fail(stderr, "%s: %v; hint: `unknot help %s` lists the options", f.Name(), dashes(err), f.Name()), false
	}
	return 0, true
}

// dashes shows options as they are documented.
func dashes(err error) string {
	return strings.NewReplacer("defined: -", "defined: --", "argument: -", "argument: --", "flag -", "flag --").Replace(err.Error())
}

func fail(stderr io.Writer, format string, args ...any) int {
	complain(stderr, fmt.Errorf(format, args...))
	return exitUsage
}

func complain(stderr io.Writer, err error) { fmt.Fprintln(stderr, supervise.Complaint(err)) }

// jsonValue is an option with a value in JSON.
type jsonValue struct{ into any }

func (v jsonValue) String() string { return "" }

func (v jsonValue) Set(s string) error { return json.Unmarshal([]byte(s), v.into) }

// choice is an option with a few words to choose from.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("must be %s", strings.Join(c.allowed, " or "))
	}
	*c.value = s
	return nil
}
