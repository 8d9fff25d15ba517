// Package pairs runs the broken and the fixed program of each code of a directory of checks, on the MPI libraries, and
// holds what unknot says of them to what they want.
package pairs

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/check"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/remarks"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// program is a file under testdata/CODE. It is broken or fixed, as its name begins, and says itself what is expected of
// it, in comments (package remarks):
//
//	want: TEXT            a finding CODE whose sentence, notes or hint have the text, at this line
//	want-mpich: TEXT      the same, with one MPI only
//	note: TEXT            a note of the finding at this line, or of the one at the nearest line before, has the text
//	run: -n 3 --check=x   ranks (2 otherwise) and options of unknot run
//	only: mpich           not with the other MPI
//	also: CODE CODE       other findings that are no surprise
//	by: unknot -O2        compiled by unknot's compiler commands, with these options; "clang" has them call clang
//
// A fixed program gives no finding at all and ends with status 0.
type program struct {
	path, code string
	broken     bool
	wants      []want
	ranks      string
	options    []string
	only       string
	also       []string
	by         []string
}

type want struct {
	line      int
	mpi, text string
	note      bool
}

func load(t *testing.T, path string) program {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(path)
	p := program{path: path, code: filepath.Base(filepath.Dir(path)), ranks: "2",
		broken: strings.HasPrefix(name, "broken")}
	if !p.broken && !strings.HasPrefix(name, "fixed") {
		t.Fatalf("%s is neither broken nor fixed", path)
	}
	last := 0
	for _, m := range remarks.In(string(text)) {
		switch m.Kind {
		case "run":
			ranks, options := remarks.Job(m.Text)
			p.ranks, p.options = cmp.Or(ranks, p.ranks), append(p.options, options...)
		case "only":
			p.only = m.Text
		case "by":
			p.by = strings.Fields(m.Text)
		case "also":
			p.also = strings.Fields(m.Text)
		case "note":
			p.wants = append(p.wants, want{line: last, text: m.Text, note: true})
		default:
			last = m.Line
			p.wants = append(p.wants, want{line: m.Line, mpi: strings.TrimPrefix(strings.TrimPrefix(m.Kind, "want"),
				"-"), text: m.Text})
		}
	}
	if p.broken != (len(p.wants) > 0) {
		t.Fatalf("%s: broken %v, with %d remarks of what is wanted", path, p.broken, len(p.wants))
	}
	return p
}

// loadAll reads the programs of a directory of checks.
func loadAll(t *testing.T, dir string) []program {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "testdata/*/*"))
	if err != nil {
		t.Fatal(err)
	}
	programs := make([]program, len(paths))
	for i, path := range paths {
		programs[i] = load(t, path)
	}
	return programs
}

// name is what the program's tape is kept by.
func (p *program) name() string { return p.code + "/" + filepath.Base(p.path) }

// kept is where compiled programs stay from one test run to the next.
func kept(t *testing.T) string {
	t.Helper()
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("unknot-checks-%d", os.Getuid()))
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	return cache
}

func (p *program) source(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compile builds a program for an MPI, and keeps it in a directory. It gives the command that runs it. unknot is the
// command line of that.
func compile(t *testing.T, unknot []string, p *program, mpi, cache string) []string {
	t.Helper()
	path, err := filepath.Abs(p.path) // what was compiled elsewhere names its source there
	if err != nil {
		t.Fatal(err)
	}
	words := whole.Lenient(filepath.Ext(path), mpi)
	if filepath.Ext(path) == ".c" {
		words = append(words, "-fopenmp")
	}
	if p.by != nil {
		words = whole.ByUnknot(unknot, p.by[1:], words)
	}
	program, err := whole.CompileBy(words, whole.Program{Path: path, Text: p.source(t)}, cache)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// libraries are the MPI libraries to run a program with: one of them if it expects the same of both. Of the programs of
// a code that are not its first broken one, most are left to their tapes, unless the run is for some programs only.
func (p *program) libraries(turn int) []string {
	share := 7 // such that broken and fixed programs, which often take turns, get their parts of it
	switch filepath.Base(p.path) {
	case "broken.c":
		share = 1
	case "fixed.c":
		share = 3
	}
	all := slices.DeleteFunc(p.recorded(), func(mpi string) bool { return !slices.Contains(testkit.Both(), mpi) })
	switch {
	case turn%share != 0 && !testkit.Nightly() && !testkit.Chosen():
		return nil
	case len(all) < 2 || p.differs():
		return all
	}
	const jobs = 4 // of programs that follow each other, about one in so many runs
	return testkit.LibrariesOfMany(turn / jobs)
}

// recorded are the MPI libraries that tapes of a program are taken with.
func (p *program) recorded() []string {
	switch {
	case p.only != "":
		return []string{p.only}
	case filepath.Ext(p.path) == ".py":
		return []string{"openmpi"}
	}
	return testkit.Both()
}

// differs says whether a program expects other findings with one MPI library than with the other.
func (p *program) differs() bool {
	return slices.ContainsFunc(p.wants, func(w want) bool { return w.mpi != "" })
}

// watched is what unknot said of a program.
type watched struct {
	run    finding.Run
	output string
	exit   int
}

// watch runs a program under unknot, a command line, in a directory.
func watch(t *testing.T, unknot []string, p *program, mpi, dir string) watched {
	t.Helper()
	command := compile(t, unknot, p, mpi, kept(t))
	report := filepath.Join(dir, "report.json")
	argv := slices.Concat(unknot, []string{"run", "--json", report, "--mpicc", "mpicc." + mpi}, p.options,
		[]string{"mpirun." + mpi, "-n", p.ranks}, command)
	r, err := whole.Run(argv, dir, append(whole.Settings(dir), tape.Setting(dir)), 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Left) != 0 {
		t.Errorf("processes left behind: %q", r.Left)
	}
	w := watched{output: r.Output, exit: r.Exit}
	if w.run, err = whole.ReadRun(report); err != nil {
		t.Fatalf("%v: exit status %d, %v\n%s", argv, r.Exit, err, r.Output)
	}
	return w
}

// at says whether a finding is about a line of a file.
func at(f *finding.Finding, file string, line int) bool {
	return slices.ContainsFunc(f.Places, func(pl finding.Place) bool {
		return filepath.Base(pl.File) == file &&
			pl.Line == line
	})
}

// problems compares what unknot said with what the program wants.
func problems(p *program, mpi string, w *watched) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, x := range p.wants {
		if x.mpi != "" && x.mpi != mpi {
			continue
		}
		ok := slices.ContainsFunc(w.run.Findings, func(f finding.Finding) bool {
			if string(f.Code) != p.code {
				return false
			}
			if !at(&f, filepath.Base(p.path), x.line) {
				return false
			}
			return !x.note && strings.Contains(f.Sentence, x.text) ||
				slices.ContainsFunc(append(finding.Sentences(f.Notes), f.Hint),
					func(s string) bool { return strings.Contains(s, x.text) })
		})
		if !ok {
			add("line %d: no %s with %q", x.line, p.code, x.text)
		}
	}
	for _, f := range w.run.Findings {
		switch {
		case p.broken && (string(f.Code) == p.code || slices.Contains(p.also, string(f.Code))):
		default:
			add("unexpected %s (%s): %s", f.Code, f.Severity, f.Sentence)
		}
	}
	exit := 0
	if slices.ContainsFunc(w.run.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error }) {
		exit = 66
	}
	if w.exit != exit {
		add("exit status %d, want %d", w.exit, exit)
	}
	if p.broken && len(p.wants) == 0 {
		add("a broken program has to say what is wanted of it, and at which line")
	}
	return out
}

// Test runs the programs of the checks below a directory, FAMILY/testdata/CODE/*, each as a test of the name
// CODE/FILE/MPI. The codes are those of some checkers.
func Test(t *testing.T, root string, checkers []check.Checker) {
	dirs := families(t, root)
	codes := complete(t, root, checkers)
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	for _, dir := range dirs {
		programs := loadAll(t, dir)
		for i := range programs {
			if p := &programs[i]; !codes[p.code] {
				t.Errorf("%s belongs to no code", p.path)
			}
		}
		watchAll(t, unknot, programs)
	}
}

// complete holds each code to its help and to a broken and a fixed program. It gives all codes.
func complete(t *testing.T, root string, checkers []check.Checker) map[string]bool {
	t.Helper()
	codes := make(map[string]bool)
	for _, c := range checkers {
		for _, d := range c.Codes {
			codes[string(d.Code)] = true
			if d.Title == "" || d.Means == "" || d.Why == "" || d.Fix == "" || d.Since == "" || d.Severity == "" {
				t.Errorf("%s: its help is not complete", d.Code)
			}
			for _, name := range []string{"broken.c", "fixed.c"} {
				found, err := filepath.Glob(filepath.Join(root, "*/testdata", string(d.Code), name))
				if err != nil || len(found) != 1 {
					t.Errorf("%s has %d programs %s, want one (%v)", d.Code, len(found), name, err)
				}
			}
		}
	}
	return codes
}

func watchAll(t *testing.T, unknot string, programs []program) {
	for turn := range programs {
		p := &programs[turn]
		for _, mpi := range p.libraries(turn) {
			t.Run(p.code+"/"+filepath.Base(p.path)+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				w := watch(t, []string{unknot}, p, mpi, t.TempDir())
				list := problems(p, mpi, &w)
				for _, said := range list {
					t.Error(said)
				}
				if len(list) > 0 {
					t.Logf("told:\n%s", w.output)
				}
			})
		}
	}
}
