// Command unknot finds deadlocks and wrong uses of MPI in MPI and UPC programs: `unknot run mpirun -n 4 ./app` watches
// the program as it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"unknot/cmd/unknot/settings"
	"unknot/cmd/unknot/suggest"
)

// version is set by the build (-ldflags "-X main.version=…").
var version = "development"

func main() { os.Exit(Main()) }

// Main is the command: the tests call it in a separate process.
func Main() int {
	args := os.Args[1:]
	if filepath.Base(os.Args[0]) == upcCheck {
		args = append([]string{upcCheck}, args...)
	}
	return dispatch(context.Background(), args, os.Stdout, os.Stderr)
}

// upcCheck is a command that unknot is also when it is called by this name, so that it can stand in the compiler's
// place.
const upcCheck = "upc-check"

// commands are in the order in which help lists them.
func commands() []*cobra.Command {
	return append([]*cobra.Command{
		runCommand(),
		recordCommand(),
		predictCommand(),
		exploreCommand(),
		attachCommand(),
		dumpCommand(),
		replayCommand(),
		confirmCommand(),
		reportCommand(),
		diffCommand(),
		checksCommand(),
		explainCommand(),
		doctorCommand(),
		probeCommand(),
		traceCommand(),
		reduceCommand(),
		upccCommand(),
		upcCheckCommand(),
		upcrunCommand(),
		wrapCommand(),
		cmakeCommand(),
		pytestCommand(),
		completionCommand(),
		manualCommand(),
		versionCommand(),
		agentCommand(),
		lookCommand(),
		partCommand(),
	}, compilerCommands()...)
}

// dispatch carries out a command line and gives its exit status.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	list := commands()
	root := newRoot(list, stdout, stderr)
	if len(args) == 0 {
		overview(stderr, list)
		return exitUsage
	}
	if !completing(args) {
		args = firstWord(args)
		if child(root, args[0]) == nil {
			return fail(stderr, "no command %q; hint: %s", args[0], suggest.Command(args[0], list))
		}
	}
	args, table, err := configured(list, args)
	switch {
	case err != nil:
		return fail(stderr, "%v", err)
	case table != "":
		fmt.Fprint(stdout, table)
		return 0
	}
	root.SetArgs(args)
	err = root.ExecuteContext(ctx)
	var status exitStatus
	switch {
	case errors.As(err, &status):
		return int(status)
	case err != nil:
		return fail(stderr, "%v", err)
	}
	return 0
}

// configurable says whether a command takes options from elsewhere, too.
func configurable(c *cobra.Command) bool {
	return !c.DisableFlagParsing && !c.Hidden && !c.HasSubCommands()
}

// configured adds to a command line the options that the environment and the project's file give. If the command line
// asks for the options in effect, it gives their table.
func configured(list []*cobra.Command, args []string) (all []string, table string, err error) {
	i := slices.IndexFunc(list, func(c *cobra.Command) bool { return c.Name() == args[0] })
	if i < 0 || !configurable(list[i]) {
		return args, "", nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, "", err
	}
	given, err := settings.Read(func() map[string]*pflag.FlagSet {
		flags := make(map[string]*pflag.FlagSet)
		for _, c := range commands() {
			if configurable(c) {
				flags[c.Name()] = c.Flags()
			}
		}
		return flags
	}, os.Getenv, dir)
	if err != nil {
		return nil, "", err
	}
	options, rest, err := given.Of(args[0], args[1:])
	if err != nil {
		return nil, "", err
	}
	asks := func(o settings.Given) bool { return o.Name == showConfig }
	if slices.ContainsFunc(options, asks) {
		return nil, settings.Table(args[0], slices.DeleteFunc(options, asks)), nil
	}
	return append([]string{args[0]}, rest...), "", nil
}

func newRoot(list []*cobra.Command, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{Use: "unknot", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.Flags().Bool("version", false, "print the version") // for completion only: firstWord makes a command of it
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetHelpFunc(showHelp)
	root.SetFlagErrorFunc(wrongOption)
	help := helpCommand(list)
	root.SetHelpCommand(help)
	root.AddCommand(append(list, help)...)
	return root
}

// completing says whether a shell asks what a command line may be completed with.
func completing(args []string) bool {
	return args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd
}

// child is the command below another one that has a name, nil if none has.
func child(of *cobra.Command, name string) *cobra.Command {
	for _, c := range of.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// firstWord replaces an option that stands for a command by that command.
func firstWord(args []string) []string {
	switch args[0] {
	case "--help", "-h":
		return append([]string{"help"}, args[1:]...)
	case "--version", "-V":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// about says what unknot is for; introduction begins the overview.
const (
	about        = "find errors in MPI and UPC programs"
	introduction = `unknot finds errors in MPI and UPC programs: deadlocks, wrong uses of MPI, and errors of other schedules.

    unknot run mpirun -n 4 ./app input.txt

`
)

func overview(w io.Writer, list []*cobra.Command) {
	fmt.Fprint(w, introduction, "Commands:\n")
	for _, c := range described(list) {
		fmt.Fprintf(w, "    unknot %-36s %s\n", c.Use, c.Short)
	}
	fmt.Fprint(w, "\n`unknot help COMMAND` describes one of them.\n")
}
