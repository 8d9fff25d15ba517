package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/test/testkit/remarks"
	"unknot/internal/test/testkit/whole"
)

// pair is a broken program in C and the same fixed.
type pair struct {
	dir    string
	family string
	code   string // what unknot has to report of the broken one
	ranks  string
	checks []string // options of unknot run
	by     []string // of the compiler, if unknot's compiler command is to compile it; nil if not
}

func (p *pair) source(name string) string { return filepath.Join(p.dir, name+".c") }

const deadlocks = "deadlocks, ranks that die, calls that do not match"

// share is how many of the examples one stands for: most of them hang, under each tool for as long as it is given.
const share = 3

// pairs are every third of the examples, and the first pair of each code of the checks, as far as they are in C and run
// with Open MPI.
func pairs() (all []pair, err error) {
	examples, err := whole.Load("examples")
	if err != nil {
		return nil, err
	}
	examples = slices.DeleteFunc(examples, func(x whole.Example) bool { return filepath.Ext(x.Broken.Path) != ".c" })
	for i, x := range examples {
		if w := &x.Want; i%share == 0 && slices.Contains(w.MPI, "openmpi") {
			all = append(all, pair{dir: filepath.Dir(x.Broken.Path), family: deadlocks, code: string(w.Code),
				ranks: fmt.Sprint(w.Ranks), checks: w.Flags})
		}
	}
	for _, family := range check.Families() {
		for _, c := range registry.Checkers() {
			for _, d := range c.Codes {
				if c.Family != family {
					continue
				}
				found, err := filepath.Glob("internal/check/*/testdata/" + string(d.Code) + "/broken.c")
				if err != nil {
					return nil, err
				}
				for _, path := range found {
					p := pair{dir: filepath.Dir(path), family: string(family), code: string(d.Code), ranks: "2"}
					there, err := p.read()
					if err != nil {
						return nil, err
					}
					if there {
						all = append(all, p)
					}
				}
			}
		}
	}
	return all, nil
}

// read takes what the broken program says of how it is run; false if it does not run with Open MPI.
func (p *pair) read() (bool, error) {
	text, err := os.ReadFile(p.source("broken"))
	if err != nil {
		return false, err
	}
	for _, m := range remarks.In(string(text)) {
		switch m.Kind {
		case "only":
			if m.Text != "openmpi" {
				return false, nil
			}
		case "by":
			p.by = strings.Fields(m.Text)[1:]
		case "run":
			ranks, options := remarks.Job(m.Text)
			p.ranks, p.checks = cmp.Or(ranks, p.ranks), append(p.checks, options...)
		}
	}
	return true, nil
}

// named counts the codes of a family that another tool has a check for, by the names in docs/checks.md: MUST's have
// underscores, ITAC's colons.
func named(family string) (must, itac, codes int) {
	for _, c := range registry.Checkers() {
		if string(c.Family) != family {
			continue
		}
		codes += len(c.Codes)
		if slices.ContainsFunc(c.Peers, func(name string) bool { return !strings.Contains(name, ":") }) {
			must += len(c.Codes)
		}
		if slices.ContainsFunc(c.Peers, func(name string) bool { return strings.Contains(name, ":") }) {
			itac += len(c.Codes)
		}
	}
	return must, itac, codes
}
