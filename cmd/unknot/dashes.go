package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Options may be written with one dash or two, as has always been so (-json, --json, -o, --o), while pflag takes what
// follows one dash for letters. So their names are written in full, with two dashes, before it sees them.

// longForm writes the options of a command line in full. In one that is to be completed, the last word stays as it is.
func longForm(root *cobra.Command, args []string) []string {
	if completing(args) {
		if len(args) < 2 {
			return args
		}
		request, line, last := args[:1:1], args[1:len(args)-1], args[len(args)-1]
		return append(append(request, longForm(root, line)...), last)
	}
	c, rest := locate(root, args)
	if c.DisableFlagParsing {
		return args
	}
	path := args[: len(args)-len(rest) : len(args)-len(rest)]
	return append(path, twoDashes(c.Flags(), rest)...)
}

// completing says whether a shell asks what a command line may be completed with.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// locate finds the command that the first words name, and what follows them. It is the root if they name none.
func locate(root *cobra.Command, args []string) (c *cobra.Command, rest []string) {
	c = root
	for len(args) > 0 {
		sub := child(c, args[0])
		if sub == nil {
			break
		}
		c, args = sub, args[1:]
	}
	return c, args
}

func child(c *cobra.Command, name string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == name {
			return sub
		}
	}
	return nil
}

// twoDashes writes options in full, as far as they reach: to the first word that is not an option, or one that is
// unknown.
func twoDashes(f *pflag.FlagSet, args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		name, dashed := strings.CutPrefix(args[i], "-")
		name = strings.TrimPrefix(name, "-")
		if !dashed || name == "" || name[0] == '-' || name[0] == '=' {
			return append(out, args[i:]...)
		}
		name, value, assigned := strings.Cut(name, "=")
		option := f.Lookup(name)
		if option == nil && len(name) == 1 {
			option = f.ShorthandLookup(name)
		}
		if option != nil {
			name = option.Name
		}
		if assigned {
			name += "=" + value
		}
		out = append(out, "--"+name)
		if option == nil {
			return append(out, args[i+1:]...)
		}
		if !assigned && option.NoOptDefVal == "" && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}
