package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"unknot/internal/finding"
	"unknot/internal/supervise"
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
		what = "flag provided but not defined: --" + unknown.GetSpecifiedName()
		if near := nearOption(c, unknown.GetSpecifiedName()); near != "" {
			hint = fmt.Sprintf("did you mean `--%s`?", near)
		}
	case errors.As(err, &missing):
		what = "flag needs an argument: --" + missing.GetSpecifiedName()
	case errors.As(err, &invalid) && strings.Contains(err.Error(), "; hint: "):
		return fmt.Errorf("%s: invalid value %q for flag --%s: %w", command, invalid.GetValue(), invalid.GetFlag().Name, invalid.Unwrap())
	case errors.As(err, &invalid):
		what = fmt.Sprintf("invalid value %q for flag --%s: %v", invalid.GetValue(), invalid.GetFlag().Name, invalid.Unwrap())
	}
	return fmt.Errorf("%s: %s; hint: %s", command, what, hint)
}

// nearOption is the option that was probably meant by a name that is none: one that begins with it, or one of nearly the same letters.
func nearOption(c *cobra.Command, name string) string {
	var names []string
	visible(c.Flags(), func(f *pflag.Flag) { names = append(names, f.Name) })
	if i := slices.IndexFunc(names, func(n string) bool { return len(name) > 1 && strings.HasPrefix(n, name) }); i >= 0 {
		return names[i]
	}
	return finding.Closest(name, names)
}
