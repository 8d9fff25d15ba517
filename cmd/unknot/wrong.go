package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

// exitUsage is the exit status of wrong command lines.
const exitUsage = 2

func fail(stderr io.Writer, format string, args ...any) int {
	complain(stderr, fmt.Errorf(format, args...))
	return exitUsage
}

func complain(stderr io.Writer, err error) { fmt.Fprintln(stderr, supervise.Complaint(err)) }

// wrongOption says what is wrong with an option of a command.
func wrongOption(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	command := strings.TrimPrefix(c.CommandPath(), "unknot ")
	verb, _, _ := strings.Cut(command, " ")
	what, hint := err.Error(), fmt.Sprintf("`unknot help %s` lists the options", verb)
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name, written := specified(unknown)
		what = "unknown option " + written
		if isLaunchers(name) && slices.Contains(launching, verb) {
			what = fmt.Sprintf("the launcher is missing before %s", written)
			hint = fmt.Sprintf("`unknot %s mpirun %s …` or srun, as without unknot", verb, written)
		} else if near := nearOption(c, name); near != "" {
			hint = fmt.Sprintf("did you mean `--%s`?", near)
		}
	case errors.As(err, &missing):
		what = "no value for option --" + missing.GetSpecifiedName()
	case errors.As(err, &invalid) && strings.Contains(err.Error(), "; hint: "):
		return fmt.Errorf("%s: invalid value %q for option --%s: %w", command, invalid.GetValue(),
			invalid.GetFlag().Name, invalid.Unwrap())
	case errors.As(err, &invalid):
		what = fmt.Sprintf("invalid value %q for option --%s: %v", invalid.GetValue(), invalid.GetFlag().Name,
			invalid.Unwrap())
	}
	return fmt.Errorf("%s: %s; hint: %s", command, what, hint)
}

// launching are the commands that are followed by the command line of a job.
var launching = []string{"run", "explore", "confirm"}

// isLaunchers says whether an option that unknot does not have is one by which launchers take how many processes to
// start, or where.
func isLaunchers(name string) bool {
	return slices.Contains([]string{"n", "np", "c", "N", "host", "hostfile", "hosts", "machinefile", "f", "ppn",
		"oversubscribe", "ntasks", "nodes"}, name)
}

// specified is an option that a command does not have: its name, and how it is written. pflag takes the letters after
// one dash for options of one letter each.
func specified(e *pflag.NotExistError) (name, written string) {
	if letters := e.GetSpecifiedShortnames(); letters != "" {
		name, _, _ = strings.Cut(letters, "=")
		return name, "-" + name
	}
	return e.GetSpecifiedName(), "--" + e.GetSpecifiedName()
}

// nearOption is the option that was probably meant by an unknown name: one that begins with it, or one of nearly
// the same letters.
func nearOption(c *cobra.Command, name string) string {
	var names []string
	visible(c.Flags(), func(f *pflag.Flag) { names = append(names, f.Name) })
	if i := slices.IndexFunc(names, func(n string) bool {
		return len(name) > 1 &&
			strings.HasPrefix(n, name)
	}); i >= 0 {
		return names[i]
	}
	return finding.Closest(name, names)
}
