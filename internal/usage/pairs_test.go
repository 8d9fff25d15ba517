package usage_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/finding"
	"unknot/internal/usage"
)

// A program under testdata/CODE is broken or fixed, as its name begins, and says itself what is expected of it, in comments:
//
//	want: TEXT            a finding CODE whose sentence, notes or hint have the text, at this line
//	want-mpich: TEXT      the same, with one MPI only
//	note: TEXT            a note of the finding at this line, or of the one at the nearest line before, has the text
//	run: -n 3 --check=x   ranks (2 otherwise) and options of unknot run
//	only: mpich           not with the other MPI
//	also: CODE CODE       other findings that are no surprise; rank-died never is one after a want
//
// A fixed program gives no finding at all and ends with status 0.
var remark = regexp.MustCompile(`(?:/\*|//|!|#)\s*(want|want-openmpi|want-mpich|note|run|only|also): (.*?)\s*(?:\*/.*)?$`)

// program is a file under testdata.
type program struct {
	path, code string
	broken     bool
	wants      []want
	ranks      string
	options    []string
	only       string
	also       []string
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
	p := program{path: path, code: filepath.Base(filepath.Dir(path)), ranks: "2", broken: strings.HasPrefix(name, "broken")}
	if !p.broken && !strings.HasPrefix(name, "fixed") {
		t.Fatalf("%s is neither broken nor fixed", path)
	}
	last := 0
	for i, line := range strings.Split(string(text), "\n") {
		m := remark.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch kind, rest := m[1], m[2]; kind {
		case "run":
			for _, w := range strings.Fields(rest) {
				if n, ok := strings.CutPrefix(w, "-n"); ok && n != "" {
					p.ranks = n
				} else if w != "-n" && strings.HasPrefix(w, "-") {
					p.options = append(p.options, w)
				} else if w != "-n" {
					p.ranks = w
				}
			}
		case "only":
			p.only = rest
		case "also":
			p.also = strings.Fields(rest)
		case "note":
			p.wants = append(p.wants, want{line: last, text: rest, note: true})
		default:
			last = i + 1
			p.wants = append(p.wants, want{line: i + 1, mpi: strings.TrimPrefix(strings.TrimPrefix(kind, "want"), "-"), text: rest})
		}
	}
	if p.broken != (len(p.wants) > 0) {
		t.Fatalf("%s: broken %v, with %d remarks of what is wanted", path, p.broken, len(p.wants))
	}
	return p
}

// compile builds a program for an MPI, and keeps it from one test run to the next.
func compile(t *testing.T, p *program, mpi string) string {
	t.Helper()
	text, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(p.path) == ".py" {
		return p.path
	}
	// The binary names its source, whose text is asked for.
	abs, err := filepath.Abs(p.path)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s\n%s", abs, mpi, text)
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("unknot-usage-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, fmt.Sprintf("%s-%x", p.code, h.Sum64()))
	if _, err := os.Stat(out); err == nil {
		return out
	}
	compiler, flags := "mpicc.", []string{"-g", "-std=gnu11", "-pthread", "-fopenmp", "-w"}
	switch filepath.Ext(p.path) {
	case ".cpp":
		compiler, flags = "mpicxx.", []string{"-g", "-w"}
	case ".f90":
		compiler, flags = "mpif90.", []string{"-g", "-w", "-fallow-argument-mismatch"}
	}
	temporary := out + fmt.Sprintf(".%d", os.Getpid())
	args := append(flags, "-o", temporary, abs, "-lm")
	cmd := exec.Command(compiler+mpi, args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler+mpi, args, err, text)
	}
	if err := os.Rename(temporary, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// watched is what unknot said of a program.
type watched struct {
	run    finding.Run
	output string
	exit   int
}

func watch(t *testing.T, unknot string, p *program, mpi string) watched {
	t.Helper()
	binary := compile(t, p, mpi)
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	args := append([]string{"run", "--json", report, "--mpicc", "mpicc." + mpi}, p.options...)
	args = append(args, "mpirun."+mpi, "-n", p.ranks)
	if filepath.Ext(binary) == ".py" {
		abs, err := filepath.Abs(binary)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "python3", abs)
	} else {
		args = append(args, binary)
	}
	cmd := exec.Command(unknot, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
		"OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_orte_tmpdir_base="+dir, "OMPI_MCA_btl_vader_single_copy_mechanism=none")
	timer := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	w := watched{output: string(out), exit: cmd.ProcessState.ExitCode()}
	text, readErr := os.ReadFile(report)
	if readErr != nil {
		t.Fatalf("%v: %v, %v\n%s", cmd.Args, err, readErr, out)
	}
	if err := json.Unmarshal(text, &w.run); err != nil {
		t.Fatal(err)
	}
	return w
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
			if !slices.ContainsFunc(f.Places, func(pl finding.Place) bool {
				return filepath.Base(pl.File) == filepath.Base(p.path) && pl.Line == x.line
			}) {
				return false
			}
			return !x.note && strings.Contains(f.Sentence, x.text) ||
				slices.ContainsFunc(append(slices.Clone(f.Notes), f.Hint), func(s string) bool { return strings.Contains(s, x.text) })
		})
		if !ok {
			add("line %d: no %s with %q", x.line, p.code, x.text)
		}
	}
	for _, f := range w.run.Findings {
		switch {
		case p.broken && (string(f.Code) == p.code || f.Code == finding.RankDied || slices.Contains(p.also, string(f.Code))):
		default:
			add("unexpected %s (%s): %s", f.Code, f.Severity, f.Sentence)
		}
	}
	if !p.broken && w.exit != 0 {
		add("exit status %d, want 0", w.exit)
	}
	return out
}

func TestEveryCodeHasABrokenAndAFixedProgram(t *testing.T) {
	unknot := filepath.Join(t.TempDir(), "unknot")
	if text, err := exec.Command("go", "build", "-o", unknot, "../../cmd/unknot").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	codes := make(map[string]bool)
	for _, c := range usage.Checkers() {
		for _, d := range c.Codes {
			codes[string(d.Code)] = true
			if d.Title == "" || d.Means == "" || d.Why == "" || d.Fix == "" || d.Since == "" || d.Severity == "" {
				t.Errorf("%s: its help is not complete", d.Code)
			}
			for _, name := range []string{"broken.c", "fixed.c"} {
				if _, err := os.Stat(filepath.Join("testdata", string(d.Code), name)); err != nil {
					t.Errorf("%s: %v", d.Code, err)
				}
			}
		}
	}
	paths, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		p := load(t, path)
		if !codes[p.code] {
			t.Errorf("%s belongs to no code", path)
			continue
		}
		for _, mpi := range []string{"openmpi", "mpich"} {
			if p.only != "" && p.only != mpi || filepath.Ext(path) == ".py" && mpi == "mpich" {
				continue
			}
			t.Run(p.code+"/"+filepath.Base(path)+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				w := watch(t, unknot, &p, mpi)
				list := problems(&p, mpi, &w)
				for _, said := range list {
					t.Error(said)
				}
				if len(list) > 0 {
					t.Log(w.output)
				}
			})
		}
	}
}
