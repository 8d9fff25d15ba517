package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verb makes a command of unknot. Its options end at the first other word: what follows may be the user's
// command, whose options are not ours. In its help, the line {options} stands for the list of its options.
func verb(name, args, about, help string) (*cobra.Command, options) {
	c := &cobra.Command{Use: strings.TrimSpace(name + " " + args), Short: about, Long: help}
	f := c.Flags()
	f.SetInterspersed(false)
	f.SortFlags = false
	f.VarPF(helpWanted{}, "help", "h", "show this help").NoOptDefVal = "true"
	return c, options{c}
}

// driven makes a command that reads its command line itself, as compilers do.
func driven(name, args, about, help string, run action) *cobra.Command {
	return &cobra.Command{Use: name + " " + args, Short: about, Long: help, DisableFlagParsing: true, RunE: does(run)}
}

// action carries out a command with the arguments after its options, and gives the exit status.
type action func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// exitStatus is an exit status other than 0 on its way through cobra, which passes errors only.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func does(run action) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if status := run(c.Context(), args, c.OutOrStdout(), c.ErrOrStderr()); status != 0 {
			return exitStatus(status)
		}
		return nil
	}
}

// helpWanted is the option --help: parsing ends where it stands, as nothing after it matters.
type helpWanted struct{}

func (helpWanted) Set(string) error { return pflag.ErrHelp }

func (helpWanted) String() string { return "false" }

func (helpWanted) Type() string { return "bool" }
