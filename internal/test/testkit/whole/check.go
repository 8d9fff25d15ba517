package whole

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// CheckBroken compares a watched run of the broken program with the example's expectation and returns what differs, one
// sentence each. Exit is the exit status of unknot itself.
func CheckBroken(x Example, run finding.Run, exit int) []string {
	var problems problems
	w := x.Want
	problems.common(run, w.Ranks, exit, w.Exit)

	matters := slices.DeleteFunc(serious(run), func(f finding.Finding) bool { return slices.Contains(w.Also, f.Code) })
	if len(matters) != 1 || matters[0].Code != w.Code {
		problems.add("findings are %s, want exactly one %s", list(matters), w.Code)
	}
	i := slices.IndexFunc(matters, func(f finding.Finding) bool { return f.Code == w.Code })
	if i < 0 {
		return problems
	}
	f := matters[i]
	if f.Severity != w.Severity || f.Standing != w.Standing {
		problems.add("the finding is %s, %s, want %s, %s", f.Severity, f.Standing, w.Severity, w.Standing)
	}
	problems.core(f, w)
	problems.places(x, f)
	problems.words("sentence", f.Sentence, w.SentenceHas)
	problems.words("words of the finding", words(f), w.WordsHas)
	return problems
}

// CheckFixed does the same for the corrected program, about which unknot has nothing to say.
func CheckFixed(x Example, run finding.Run, exit int) []string {
	var problems problems
	problems.common(run, x.Want.Ranks, exit, x.Want.FixedExit)
	if matters := serious(run); len(matters) != 0 {
		problems.add("findings are %s, want none", list(matters))
	}
	if !run.Complete {
		problems.add("the run is reported as incomplete: %s", run.Why)
	}
	return problems
}

type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

func (p *problems) common(run finding.Run, ranks, exit, wantExit int) {
	if exit != wantExit {
		p.add("exit status is %d, want %d", exit, wantExit)
	}
	if run.Schema != finding.Schema {
		p.add("schema is %q, want %q", run.Schema, finding.Schema)
	}
	if run.Ranks != ranks {
		p.add("the report counts %d ranks, want %d", run.Ranks, ranks)
	}
}

func (p *problems) core(f finding.Finding, w Expectation) {
	if !slices.IsSorted(f.Ranks) {
		p.add("core %v is not in ascending order", f.Ranks)
	}
	for _, r := range w.Core {
		if !slices.Contains(f.Ranks, r) {
			p.add("core is %v, want rank %d in it", f.Ranks, r)
		}
	}
	for _, r := range f.Ranks {
		if !slices.Contains(w.Core, r) && !slices.Contains(w.CoreMay, r) {
			p.add("core is %v, rank %d does not belong to it", f.Ranks, r)
		}
		if !slices.ContainsFunc(f.Places, func(at finding.Place) bool { return at.Rank == r }) {
			p.add("rank %d is in the core, but has no place", r)
		}
	}
}

func (p *problems) places(x Example, f finding.Finding) {
	for _, w := range x.Want.Places {
		p.place(x.Broken, w, f.Places, "places")
	}
	for _, w := range x.Want.Others {
		p.place(x.Broken, w, slices.Concat(f.Places, f.Others), "places and others")
	}
}

func (p *problems) place(source Program, w PlaceWant, among []finding.Place, what string) {
	file, line := "", 0
	if w.Marker != "" {
		var err error
		if line, err = source.Line(w.Marker); err != nil {
			p.add("%v", err)
			return
		}
		file = filepath.Base(source.Path)
	}
	var seen []string
	for _, at := range among {
		if at.Rank != w.Rank {
			continue
		}
		if call(source, at.Call) == w.Call && (file == "" || filepath.Base(at.File) == file && at.Line == line) {
			return
		}
		seen = append(seen, fmt.Sprintf("%s at %s:%d", at.Call, filepath.Base(at.File), at.Line))
	}
	p.add("%s of rank %d are [%s], want %s at %s:%d (%s)", what, w.Rank, strings.Join(seen, ", "), w.Call, file, line,
		w.Marker)
}

// call is the function that a program's source names. mpi4py calls the form for large counts of a library that has it.
func call(source Program, name string) string {
	if filepath.Ext(source.Path) == ".py" {
		return mpi.Plain(name)
	}
	return name
}

func (p *problems) words(where, text string, want []string) {
	for _, w := range want {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
			p.add("%q is missing from the %s: %s", w, where, text)
		}
	}
}

// serious leaves out what is only information.
func serious(run finding.Run) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(run.Findings), func(f finding.Finding) bool {
		return f.Severity == finding.Info
	})
}

func list(fs []finding.Finding) string {
	var codes []string
	for _, f := range fs {
		codes = append(codes, fmt.Sprintf("%s %v (%s)", f.Code, f.Ranks, f.Sentence))
	}
	return "[" + strings.Join(codes, "; ") + "]"
}

func words(f finding.Finding) string {
	all := append([]string{f.Sentence, f.Hint}, finding.Sentences(f.Notes)...)
	for _, at := range f.Places {
		all = append(all, at.Call, at.Args, at.Reason)
	}
	return strings.Join(all, "\n")
}
