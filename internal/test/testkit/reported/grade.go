package reported

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// Grade says how well the person who reported a fault would have been answered.
type Grade string

// Grades, from best to worst.
const (
	Good   Grade = "good"   // the code, the line, the sentence and the hint that are wanted
	Weak   Grade = "weak"   // the fault is reported, but without one of these
	Missed Grade = "missed" // nothing is said of it
	False  Grade = "false"  // something is reported that is not so
)

const exitFindings = 66 // of unknot run, if there is an error

// Watched is what unknot said of a program.
type Watched struct {
	Run    finding.Run
	Output string
	Exit   int
}

// grade compares what unknot said of a program with what the program wants, and says what is missing.
func grade(p *Program, mpi string, watched *Watched) (Grade, []string) {
	g, why := Good, []string(nil)
	worse := func(to Grade, format string, args ...any) {
		if order(to) > order(g) {
			g = to
		}
		why = append(why, fmt.Sprintf(format, args...))
	}
	wanted := slices.Clone(p.Also)
	for i := range p.Wants {
		w := &p.Wants[i]
		if w.MPI != "" && w.MPI != mpi {
			continue
		}
		wanted = append(wanted, w.Code)
		switch all := coded(watched.Run.Findings, w.Code); {
		case len(all) == 0:
			worse(Missed, "line %d: no %s", w.Line, w.Code)
		case !slices.ContainsFunc(all, func(f finding.Finding) bool { return w.met(&f, filepath.Base(p.Path)) }):
			worse(Weak, "line %d: no %s with %q and the hint %q", w.Line, w.Code, w.Text, w.Hint)
		}
	}
	exit := 0
	for _, f := range watched.Run.Findings {
		if f.Severity == finding.Error {
			exit = exitFindings
		}
		if !slices.Contains(wanted, string(f.Code)) {
			worse(False, "unexpected %s (%s): %s", f.Code, f.Severity, f.Sentence)
		}
	}
	if watched.Exit != exit && (exit != 0 || !p.Broken) {
		worse(False, "exit status %d, want %d", watched.Exit, exit)
	}
	if !p.Broken {
		for line := range strings.Lines(watched.Output) {
			if strings.HasPrefix(line, "unknot:") {
				worse(False, "output: %s", strings.TrimSpace(line))
			}
		}
	}
	return g, why
}

func order(g Grade) int { return slices.Index([]Grade{Good, Weak, Missed, False}, g) }

func coded(list []finding.Finding, code string) (out []finding.Finding) {
	for _, f := range list {
		if string(f.Code) == code {
			out = append(out, f)
		}
	}
	return out
}

// met says whether a finding is the one that is wanted at a line of a file.
func (w *Want) met(f *finding.Finding, file string) bool {
	at := func(fr finding.Frame) bool { return filepath.Base(fr.File) == file && fr.Line == w.Line }
	there := len(f.Places) == 0 || slices.ContainsFunc(f.Places, func(pl finding.Place) bool {
		return at(pl.Frame) ||
			slices.ContainsFunc(pl.Stack, at)
	})
	list := []string{f.Sentence}
	for _, pl := range f.Places {
		list = append(list, pl.Call+" "+pl.Args, pl.Reason)
		for _, fr := range pl.Stack { // a report names the function of a library that the program calls
			if fr.Library != "" {
				list = append(list, fr.Function)
			}
		}
	}
	said := strings.Join(append(list, finding.Sentences(f.Notes)...), "\n")
	// A line that is not one of a call is named in words: of a store to a window, or where an exception was raised.
	named := regexp.MustCompile(regexp.QuoteMeta(fmt.Sprintf("%s:%d", file, w.Line)) + `\b`)
	return (there || named.MatchString(said)) && strings.Contains(said, w.Text) && strings.Contains(f.Hint, w.Hint)
}
