// Package reported holds unknot to what people report: small programs with the faults of public bug reports, each
// beside its corrected form, and a grade for what unknot says of them.
package reported

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/remarks"
)

// Program is a source under programs/KIND/NAME. It is broken or fixed, as its name begins, and says itself what is
// expected, in comments (package remarks):
//
//	reported: OWNER/REPO 12, what happened there    where people met such a fault; none for a variant
//	run: -n 3 --check=x                             ranks (2 otherwise) and options of unknot run
//	want: CODE: TEXT                                a finding CODE, at this line or called from it, whose sentence, places or notes have the text
//	want-mpich: CODE: TEXT                          the same with one MPI only
//	hint: TEXT                                      the hint of the finding that is wanted by the line before has the text
//	also: CODE CODE                                 other findings that are no surprise
//	only: mpich                                     not with the other MPI
//	by: unknot -O1                                  compiled by unknot's compiler commands, with these options
//	flags: -fopenmp                                 more options of the compiler
//	needs: libhdf5-openmpi-dev                      a Debian package; the program is left to nightly runs
//	launcher: other                                 started by a script with the launcher of the MPI that the program is not built with
type Program struct {
	Path, Kind, Name string
	Broken           bool
	Reported         string
	Wants            []Want
	Ranks            string
	Options          []string
	Also             []string
	Only             string
	By, Flags        []string
	Needs            []string
	OtherLauncher    bool
	text             string
}

// Want is a finding that a broken program expects.
type Want struct {
	Line             int
	MPI              string // the only library that gives it; "" for both
	Code, Text, Hint string
}

// load reads a program.
func load(path string) (*Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	p := &Program{Path: path, Kind: filepath.Base(filepath.Dir(dir)), Name: filepath.Base(dir), Ranks: "2",
		text: string(text)}
	p.Broken = strings.HasPrefix(filepath.Base(path), "broken")
	if !p.Broken && !strings.HasPrefix(filepath.Base(path), "fixed") {
		return nil, fmt.Errorf("%s is neither broken nor fixed", path)
	}
	for _, m := range remarks.In(p.text) {
		if err := p.remark(m); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, m.Line, err)
		}
	}
	if p.Broken != (len(p.Wants) > 0) {
		return nil, fmt.Errorf("%s: broken: %v, with %d findings wanted", path, p.Broken, len(p.Wants))
	}
	return p, nil
}

func (p *Program) remark(m remarks.Remark) error {
	switch m.Kind {
	case "reported":
		p.Reported = m.Text
	case "run":
		ranks, options := remarks.Job(m.Text)
		p.Ranks, p.Options = cmp.Or(ranks, p.Ranks), append(p.Options, options...)
	case "also":
		p.Also = strings.Fields(m.Text)
	case "only":
		p.Only = m.Text
	case "by":
		p.By = strings.Fields(m.Text)
	case "flags":
		p.Flags = strings.Fields(m.Text)
	case "needs":
		p.Needs = strings.Fields(m.Text)
	case "launcher":
		p.OtherLauncher = m.Text == "other"
	case "hint":
		if len(p.Wants) == 0 {
			return fmt.Errorf("a hint needs a finding that is wanted before it")
		}
		p.Wants[len(p.Wants)-1].Hint = m.Text
	case "want", "want-openmpi", "want-mpich":
		code, text, ok := strings.Cut(m.Text, ":")
		if !ok {
			return fmt.Errorf("%q: expected a code, a colon and a text", m.Text)
		}
		p.Wants = append(p.Wants, Want{Line: m.Line, MPI: strings.TrimPrefix(strings.TrimPrefix(m.Kind, "want"), "-"),
			Code: code, Text: strings.TrimSpace(text)})
	default:
		return fmt.Errorf("unknown remark %q", m.Kind)
	}
	return nil
}

// All are the programs below a directory, in the order of their paths.
func All(dir string) ([]*Program, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	if err != nil {
		return nil, err
	}
	var list []*Program
	for _, path := range paths {
		if base := filepath.Base(path); !strings.HasPrefix(base, "broken") && !strings.HasPrefix(base, "fixed") {
			continue // a header, a library or input
		}
		p, err := load(path)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// Libraries are the MPI libraries that a program can run with.
func (p *Program) Libraries() []string {
	return slices.DeleteFunc(testkit.Both(), func(mpi string) bool {
		return p.Only != "" && p.Only != mpi || filepath.Ext(p.Path) == ".py" && mpi != "openmpi"
	})
}

// shmem says whether a program uses OpenSHMEM.
func (p *Program) shmem() bool { return strings.Contains(p.text, "<shmem.h>") }
