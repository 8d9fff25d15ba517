package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"unknot/cmd/unknot/complete"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// options defines the options of a command. Each has a name, what it takes as help shows it (FILE for `--json FILE`, =S
// for `--strategy=S`), a description, and what a shell completes its value with. The default is the variable's value.
type options struct{ of *cobra.Command }

// file is an option that takes a path, which the shell itself completes.
func (o options) file(p *string, name, takes, about string) {
	o.of.Flags().StringVar(p, name, *p, about)
	o.takes(name, takes, nil)
}

// output is the option -o of commands that write one file or directory.
func (o options) output(p *string, takes, about string) {
	o.of.Flags().StringVarP(p, "output", "o", *p, about)
	o.takes("output", takes, nil)
}

func (o options) text(p *string, name, takes, about string, complete cobra.CompletionFunc) {
	o.of.Flags().StringVar(p, name, *p, about)
	o.takes(name, takes, complete)
}

// list is an option that takes words with commas between them.
func (o options) list(p *[]string, name, takes, about string) {
	o.of.Flags().StringSliceVar(p, name, *p, about)
	o.takes(name, takes, cobra.NoFileCompletions)
}

func (o options) on(p *bool, name, about string) {
	o.of.Flags().BoolVar(p, name, *p, about)
}

func (o options) number(p *int, name, takes, about string) {
	o.of.Flags().IntVar(p, name, *p, about)
	o.takes(name, takes, cobra.NoFileCompletions)
}

func (o options) unsigned(p *uint64, name, takes, about string) {
	o.of.Flags().Uint64Var(p, name, *p, about)
	o.takes(name, takes, cobra.NoFileCompletions)
}

func (o options) duration(p *time.Duration, name, takes, about string) {
	o.of.Flags().DurationVar(p, name, *p, about)
	o.takes(name, takes, cobra.NoFileCompletions)
}

func (o options) directory(p *string, name, about string) {
	o.text(p, name, "DIR", about, complete.Directories)
}

// choice is an option with a few words to choose from, which help shows as what it takes.
func (o options) choice(p *string, name, about string, allowed ...string) {
	o.value(choice{p, allowed}, name, "="+strings.Join(allowed, "|"), about, complete.Words(allowed...))
}

func (o options) value(v pflag.Value, name, takes, about string, complete cobra.CompletionFunc) {
	o.of.Flags().Var(v, name, about)
	o.takes(name, takes, complete)
}

// takes completes the definition of an option with a value. It panics, as pflag does, if two options have one name.
func (o options) takes(name, takes string, complete cobra.CompletionFunc) {
	f := o.of.Flags().Lookup(name)
	f.Value = argument{f.Value, takes}
	if complete == nil {
		return
	}
	if err := o.of.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err)
	}
}

// argument is a value with its name in help, which is what pflag calls a type.
type argument struct {
	pflag.Value
	shown string
}

func (a argument) Type() string { return a.shown }

// choice is the value of an option with a few words to choose from.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string { return *c.value }

func (c choice) Type() string { return "word" }

func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("must be %s", strings.Join(c.allowed, " or "))
	}
	*c.value = s
	return nil
}
