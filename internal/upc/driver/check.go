package driver

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/check/catalogue"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// checking is what upc-check is passed about its checks.
type checking struct {
	// without has the checks that a program does not have.
	without layout.Without
	// stack asks for the calls of the program's functions to be followed.
	stack bool
	// pointers asks for each access through a pointer-to-shared to be checked.
	pointers bool
}

// said is how an object says what it is to be checked without.
func said(w layout.Without) string { return fmt.Sprint(uint8(w)) }

// Check is Compile for programs that check themselves.
func Check(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return run(ctx, args, &checking{}, stdout, stderr)
}

// checkWhat takes --check=WHAT. (gcc takes it for -fcheck=, which is Fortran's, and accepts it.)
func (p *optionParser) checkWhat(arg, what string) error {
	switch what {
	case "race":
		p.races = true
	case "all":
		p.races = true
		if p.checks == nil {
			p.checks = &checking{}
		}
	default:
		return fmt.Errorf("%s: no such check; hint: --check=race or --check=all; upc-check has -a and -d to "+
			"leave checks out", arg)
	}
	return nil
}

// name is what the user has called.
func (c *command) name() string {
	if c.checks != nil {
		return "unknot upc-check"
	}
	return "unknot upcc"
}

// checkOption takes an option of upc-check's own, by itself or as --upccheck:FLAG.
func (p *optionParser) checkOption(arg string) (bool, error) {
	flag, explicit := strings.CutPrefix(arg, "--upccheck:")
	flag = strings.TrimLeft(flag, "-")
	if !explicit && !slices.Contains(checkFlags, arg) {
		return false, nil
	}
	switch flag {
	case "a", "d_argument_check":
		p.checks.without |= layout.WithoutArguments
	case "d", "d_deadlock_check":
		p.checks.without |= layout.WithoutDeadlocks
	case "s", "e_track_func_call_stack":
		p.checks.stack = true
	case "race":
		p.races = true
	case "pointers":
		p.checks.pointers = true
	case "h", "help":
		p.help = true
	default:
		return false, fmt.Errorf("%s: no such flag of upc-check; hint: -a, -d, -s or -h", arg)
	}
	return true, nil
}

// checkFlags are upc-check's own options, some of which gcc has with another meaning.
var checkFlags = []string{"-a", "-d_argument_check", "-d", "-d_deadlock_check", "-s", "-e_track_func_call_stack",
	"--race", "--pointers", "-h", "--h", "-help"}

// instrumented puts the checks into a source, and gives it as UPC text.
func (c *compilation) instrumented(file *syntax.File, info *types.Info) emit.Text {
	return instrument.Instrument(file, info, instrument.Options{Config: c.sizes, Stack: c.checks.stack,
		Pointers: c.checks.pointers, Native: c.tool.native, Wrapped: wrapped(c.tool.native)})
}

// wrapped says of a function's name whether the catalogue has a wrapper for it. Native compilers need not have
// functions that UPC 1.3 does not have.
func wrapped(native bool) func(string) bool {
	names := map[string]bool{}
	for _, f := range catalogue.Functions() {
		names[f.Name] = f.Wrapped() && !(native && f.Beyond())
	}
	return func(name string) bool { return names[name] }
}

// lowered makes C of instrumented UPC text. It has no errors but those of unknot.
func (c *compilation) lowered(path string, source *syntax.File, text emit.Text) (level, error) {
	file, diags := syntax.Parse(path, text.Bytes)
	tokens := restoreColumns(file, source, text.Origins)
	info := types.Check(file, c.sizes)
	for _, d := range append(diags, info.Diagnostics...) {
		if d.Severity == syntax.Error {
			return level{}, fmt.Errorf("%s: the checks cannot be inserted into this source (%s); hint: compile it "+
				"with unknot upcc, and link it with upc-check",
				file.Position(d.Pos), d.Message)
		}
	}
	made, err := c.inC(file, info, said(c.checks.without), lower.Source{File: source, Tokens: tokens})
	return level{file, made}, err
}

// restoreColumns gives the tokens of an instrumented text the columns of the source: those that are the source's, and
// those that stand there instead of some that are not in the text. They have its lines. It gives for each of the tokens
// the one of the source that it is, if it is one.
func restoreColumns(file, source *syntax.File, origins []emit.Origin) []syntax.Pos {
	tokens := slices.Repeat([]syntax.Pos{syntax.NoPos}, len(file.Tokens))
	at, before := 0, syntax.Pos(-1) // the next origin, and the token of the last one
	for i := range file.Tokens {
		t := &file.Tokens[i]
		for at < len(origins) && origins[at].Offset < int(t.Offset) {
			before = origins[at].Pos
			at++
		}
		if at == len(origins) {
			break
		}
		origin := origins[at].Pos
		switch {
		case origins[at].Offset == int(t.Offset):
			tokens[i] = origin
		case before+1 < origin:
			origin = before + 1
		}
		if s := &source.Tokens[origin]; s.Line == t.Line {
			t.Column = s.Column
		}
	}
	return tokens
}
