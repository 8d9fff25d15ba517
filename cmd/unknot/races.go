package main

import (
	"fmt"
	"strings"

	"unknot/internal/upc/races"
)

// raceChoice is an option about data races, of unknot run and of unknot upcrun.
type raceChoice struct {
	name, argument, help string
	set                  func(string) error
}

func (c raceChoice) String() string { return "" }

func (c raceChoice) Type() string { return c.argument }

func (c raceChoice) Set(text string) error { return c.set(text) }

// confirms is the help of --confirm.
const confirms = "run again for each race found, with its threads held so that they meet"

func raceChoices(o *races.Options) []raceChoice {
	return []raceChoice{
		{"race-sampling", "CHOICE", "which accesses are compared: none, all, NL, I, F, H or P, and A (default " +
			races.DefaultSampling + ")", o.SetSampling},
		{"race-seed", "N", "sample other accesses than with another seed (default 0)", o.SetSeed},
		{"slowdown", "N", "limit the slow-down by race checks to a factor N, such as 1.2 (default none)",
			o.SetSlowdown},
		{"race-memory", "SIZE", fmt.Sprintf("memory for recorded accesses, such as 64M (default %dM)",
			races.DefaultMemory>>20), o.SetMemory},
	}
}

// chooseRaces takes these options out of those that begin a command line.
func chooseRaces(o *races.Options, args []string) (rest []string, err error) {
	choices := raceChoices(o)
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, given := strings.Cut(args[0], "=")
		choice := find(choices, strings.TrimPrefix(name, "--"))
		switch {
		case args[0] == "--confirm":
			o.Confirm, args = true, args[1:]
			continue
		case choice == nil && name == "-n" && len(args) > 1:
			rest, args = append(rest, args[:2]...), args[2:]
			continue
		case choice == nil:
			rest, args = append(rest, args[0]), args[1:]
			continue
		case !given && len(args) == 1:
			return nil, fmt.Errorf("%s needs a value", name)
		case !given:
			value, args = args[1], args[1:]
		}
		if err := choice.set(value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		args = args[1:]
	}
	return append(rest, args...), nil
}

func find(choices []raceChoice, name string) *raceChoice {
	for i := range choices {
		if choices[i].name == name {
			return &choices[i]
		}
	}
	return nil
}
