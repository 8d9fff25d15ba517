package main

import (
	"errors"
	"strconv"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/finding"
	"unknot/internal/predict/exact"
)

// Options that several commands have, or that share their value with another option.

func (o options) color(p *string) {
	o.choice(p, "color", "colour the report on standard error", "auto", "always", "never")
}

func (o options) compiler(p *string) {
	o.text(p, "mpicc", "PATH", "compiler wrapper of the program's MPI library (default: detected)", program(isWrapper))
}

func (o options) buffering(kind *exact.Buffering, limit *int64) {
	o.value(buffering{kind, limit}, "buffering", "=B", "which sends MPI may buffer: any (default), none, infinite, or messages of up to so many bytes",
		words("any", "none", "infinite"))
}

// switches defines an option that switches a code on, as --check does, or off if it is false.
func (o options) switches(s *check.Selection, code finding.Code, name, about string) {
	o.of.Flags().BoolFunc(name, about, func(text string) error {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New("must be true or false")
		}
		return registry.Choose(s, string(code), on)
	})
}
