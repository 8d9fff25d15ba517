package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/registry"
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

// pairs are every third of the examples, and the first pair of each code of the checks, as far as they are in C and run with Open MPI.
func pairs() (all []pair, err error) {
	examples, err := filepath.Glob("examples/*/broken.c")
	if err != nil {
		return nil, err
	}
	for i, path := range examples {
		if i%share != 0 {
			continue
		}
		p := pair{dir: filepath.Dir(path), family: deadlocks}
		text, err := os.ReadFile(filepath.Join(p.dir, "expect.json"))
		if err != nil {
			return nil, err
		}
		var want struct {
			Ranks int
			MPI   []string
			Code  string
		}
		if err := json.Unmarshal(text, &want); err != nil {
			return nil, fmt.Errorf("%s/expect.json: %w", p.dir, err)
		}
		if p.ranks, p.code = fmt.Sprint(want.Ranks), want.Code; slices.Contains(want.MPI, "openmpi") {
			all = append(all, p)
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

// remark is what a program says of how it is to be run, as in internal/testkit/whole/pairs.
var remark = regexp.MustCompile(`/\*\s*(run|only|by): (.*?)\s*\*/`)

// read takes the remarks of the broken program; false if it does not run with Open MPI.
func (p *pair) read() (bool, error) {
	text, err := os.ReadFile(p.source("broken"))
	if err != nil {
		return false, err
	}
	for _, m := range remark.FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(m[2])
		switch m[1] {
		case "only":
			if m[2] != "openmpi" {
				return false, nil
			}
		case "by":
			p.by = words[1:]
		case "run":
			for i, w := range words {
				switch {
				case w == "-n" && i+1 < len(words):
					p.ranks = words[i+1]
				case strings.HasPrefix(w, "--"):
					p.checks = append(p.checks, w)
				}
			}
		}
	}
	return true, nil
}

// named counts the codes of a family that another tool has a check for, by the names in docs/checks.md: MUST's have underscores, ITAC's colons.
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
