package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"unknot/cmd/unknot/complete"
	"unknot/cmd/unknot/suggest"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpCommand is `unknot help`. It is in no list, as the overview ends with it.
func helpCommand(list []*cobra.Command) *cobra.Command {
	c, _ := verb("help", "[COMMAND]", "describe a command",
		"usage: unknot help [COMMAND]\n\nDescribes a command, or lists all.\n")
	c.Hidden = true
	c.ValidArgsFunction = complete.First(listed(list))
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			overview(c.OutOrStdout(), list)
			return nil
		}
		of := child(c.Parent(), args[0])
		if of == nil {
			return fmt.Errorf("no command %q; hint: %s", args[0], suggest.Command(args[0], list))
		}
		return of.Help()
	}
	return c
}

// listed completes the names of commands.
func listed(list []*cobra.Command) cobra.CompletionFunc {
	var names []string
	for _, c := range described(list) {
		names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
	}
	return complete.Words(names...)
}

// described are the commands that help lists.
func described(list []*cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(list), func(c *cobra.Command) bool { return c.Hidden })
}

// showHelp prints the help of a command.
func showHelp(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), helpOf(c)) }

// helpOf is the help of a command, or of the one above it that it is described with.
func helpOf(c *cobra.Command) string {
	for c.Long == "" && c.HasParent() {
		c = c.Parent()
	}
	before, after, listed := strings.Cut(c.Long, "{options}\n")
	if !listed {
		return c.Long
	}
	var options strings.Builder
	listOptions(&options, c.Flags())
	return before + options.String() + after
}

// widest is the length of the longest option that has its description on the same line.
const widest = 25

// listOptions prints a line for each option, with the descriptions one below the other.
func listOptions(w io.Writer, f *pflag.FlagSet) {
	column := 0
	visible(f, func(option *pflag.Flag) {
		if n := utf8.RuneCountInString(spelling(option)); n <= widest {
			column = max(column, n)
		}
	})
	indent := "\n" + strings.Repeat(" ", 2+column+3)
	visible(f, func(option *pflag.Flag) {
		about, name := strings.ReplaceAll(option.Usage, "\n", indent), spelling(option)
		if utf8.RuneCountInString(name) > widest {
			fmt.Fprintf(w, "  %s%s%s\n", name, indent, about)
			return
		}
		fmt.Fprintf(w, "  %-*s   %s\n", column, name, about)
	})
}

// visible visits the options that help lists.
func visible(f *pflag.FlagSet, visit func(option *pflag.Flag)) {
	f.VisitAll(func(option *pflag.Flag) {
		if option.Name != "help" && !option.Hidden {
			visit(option)
		}
	})
}

// spelling is an option with what it takes, as in --json FILE or --color=auto|always|never.
func spelling(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	takes := f.Value.Type()
	switch {
	case f.NoOptDefVal != "":
		return name
	case strings.HasPrefix(takes, "="):
		return name + takes
	}
	return name + " " + takes
}

const versionHelp = `usage: unknot version

Prints the version of unknot, the version of Go that built it, and the machine that it was built for.
`

func versionCommand() *cobra.Command {
	c, _ := verb("version", "", "print the version", versionHelp)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) > 0 {
			return fail(stderr, "version: unexpected %q", args[0])
		}
		fmt.Fprintf(stdout, "unknot %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return 0
	})
	return c
}
