// Package settings takes options of unknot's commands from where they can be given without editing a command line: the
// environment (UNKNOT_OPTIONS), and a file of the project (.unknot.toml).
//
// What the command line gives comes before the environment, and that before the file: an option that one of them gives
// is not taken from the next.
package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/pflag"

	"unknot/internal/vocab/finding"
)

// Variable is the variable of the environment that has options, as a shell would read them.
const Variable = "UNKNOT_OPTIONS"

// Given is an option with a value, and where it was given.
type Given struct {
	Name, Value, From string
}

// Commands makes the options of the commands that have some anew, by the commands' names: as they are before anything is
// given. To make them takes longer than all else here.
type Commands func() map[string]*pflag.FlagSet

// Settings are what the environment and the project's file give.
type Settings struct {
	commands Commands
	words    []string // of the environment
	file     *file    // nil if there is none
}

// Read reads the environment, and the nearest file from a directory upwards.
func Read(commands Commands, getenv func(string) string, dir string) (*Settings, error) {
	s := &Settings{commands: commands}
	parser := shellwords.NewParser()
	var err error
	if s.words, err = parser.Parse(getenv(Variable)); err != nil {
		return nil, fmt.Errorf("%s: %v; hint: write options as in a shell, with quotes around values that have spaces",
			Variable, err)
	}
	s.file, err = find(dir)
	return s, err
}

// Of gives the options of a command that are in effect for its arguments, the first ones being those of the command
// line, and the arguments with all others before them.
func (s *Settings) Of(command string, args []string) (options []Given, all []string, err error) {
	options = s.line(command, args)
	environment, err := s.environment(command)
	if err != nil {
		return nil, nil, err
	}
	var inFile []Given
	if s.file != nil {
		if inFile, err = s.file.options(command, s.commands); err != nil {
			return nil, nil, err
		}
	}
	for _, lower := range [][]Given{environment, inFile} {
		has := namesOf(options)
		for _, o := range lower {
			if slices.Contains(has, o.Name) {
				continue
			}
			options, all = append(options, o), append(all, "--"+o.Name+"="+o.Value)
		}
	}
	return options, append(all, args...), nil
}

func namesOf(options []Given) (list []string) {
	for _, o := range options {
		list = append(list, o.Name)
	}
	return list
}

// line are the options of a command line. What is wrong with it is said when the command reads it.
func (s *Settings) line(command string, args []string) (options []Given) {
	_ = s.commands()[command].ParseAll(args, func(f *pflag.Flag, value string) error {
		options = append(options, Given{f.Name, value, "the command line"})
		return nil
	})
	return options
}

// environment are the options of the environment that a command has.
func (s *Settings) environment(command string) (options []Given, err error) {
	if len(s.words) == 0 {
		return nil, nil
	}
	all, own := union(s.commands()), s.commands()[command]
	err = all.ParseAll(s.words, func(f *pflag.Flag, value string) error {
		if own.Lookup(f.Name) == nil {
			return nil
		}
		if err := own.Set(f.Name, value); err != nil {
			return fmt.Errorf("option --%s: %w", f.Name, cause(err))
		}
		options = append(options, Given{f.Name, value, Variable})
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", Variable, err)
	case all.NArg() > 0:
		return nil, fmt.Errorf("%s: %q is not an option; hint: the variable has options only, such as --fail-on=warning",
			Variable, all.Arg(0))
	}
	return options, nil
}

// cause is why a value does not fit, without the words of pflag around it.
func cause(err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalid.Unwrap()
	}
	return err
}

// union are the options of all commands.
func union(commands map[string]*pflag.FlagSet) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SetInterspersed(false)
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		commands[name].VisitAll(func(f *pflag.Flag) {
			if all.Lookup(f.Name) == nil {
				f.Shorthand = ""
				all.AddFlag(f)
			}
		})
	}
	return all
}

// closest is a hint to the name that was meant.
func closest(name string, among []string, otherwise string) string {
	if near := finding.Closest(name, among); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Table says which options are in effect and where each was given.
func Table(command string, options []Given) string {
	if len(options) == 0 {
		return fmt.Sprintf("unknot %s: no option is given on the command line, in %s or in a file %s\n", command, Variable,
			Name)
	}
	width := 0
	value := func(o Given) string { return "--" + o.Name + "=" + finding.Clean(o.Value) }
	for _, o := range options {
		width = max(width, len(value(o)))
	}
	var b strings.Builder
	for _, o := range options {
		fmt.Fprintf(&b, "%-*s   %s\n", width, value(o), finding.Clean(o.From))
	}
	return b.String()
}
