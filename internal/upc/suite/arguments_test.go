//go:build !quick

package suite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/check/catalogue"
	"unknot/internal/upc/driver"
	"unknot/internal/upc/rt"
)

// A bench is where sheets of mistakes are compiled, with the wrappers and a stand-in for the checker's run-time, which
// lets a program go on after each mistake. The objects are the same for all MPI libraries, with which they are linked.
type bench struct {
	dir     string
	library func() error
}

func newBench(t *testing.T) *bench {
	b := &bench{dir: t.TempDir()}
	b.library = sync.OnceValue(b.makeLibrary)
	return b
}

func (b *bench) compile(args ...string) error { return upcc("mpich", args...) }

func upcc(mpi string, args ...string) error {
	var told bytes.Buffer
	args = append([]string{"--mpicc", "mpicc." + testkit.Library(mpi)}, args...)
	if status := driver.Compile(context.Background(), args, io.Discard, &told); status != 0 {
		return fmt.Errorf("upcc %v: status %d\n%s", args, status, told.String())
	}
	return nil
}

// strict are options under which the run-time has no warnings.
var strict = []string{"-O1", "-g", "-Wall", "-Wextra", "-Werror", "-c"}

// sources writes the wrappers, what they need, and the stand-in.
func (b *bench) sources() error {
	sources, check := rt.Ledger(), rt.Check()
	maps.Copy(sources, catalogue.Sources())
	for _, name := range []string{"upck.h", "upck_layout.h", "inner.h", "spot.upc", "operator.upc"} {
		sources[name] = check[name]
	}
	if err := sources.Write(b.dir); err != nil {
		return err
	}
	return os.CopyFS(b.dir, os.DirFS("testdata/standin"))
}

// makeLibrary compiles them.
func (b *bench) makeLibrary() error {
	if err := b.sources(); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(b.dir, "*.upc"))
	if err != nil {
		return err
	}
	var objects []string
	for _, path := range paths {
		object := strings.TrimSuffix(path, ".upc") + ".o"
		if err := b.compile(append(strict, path, "-o", object)...); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	slices.Sort(objects)
	if out, err := exec.Command("ar", append([]string{"rcsD", filepath.Join(b.dir, "libupck.a")},
		objects...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("ar: %v\n%s", err, out)
	}
	return nil
}

// sheet compiles a sheet of mistakes, and gives the object.
func (b *bench) sheet(name string, all []mistake) (string, error) {
	if err := b.library(); err != nil {
		return "", err
	}
	p := &sheet{wrapped: map[string]bool{}}
	p.write(all)
	path := filepath.Join(b.dir, "sheet_"+name)
	if err := os.WriteFile(path+".upc", p.Bytes(), 0o600); err != nil {
		return "", err
	}
	return path + ".o", b.compile("-w", "-g", "-I"+b.dir, "-c", "-o", path+".o", path+".upc")
}

// program links a program of mistakes.
func (b *bench) program(t *testing.T, mpi, object string) string {
	t.Helper()
	path := strings.TrimSuffix(object, ".o") + "." + mpi
	if err := upcc(mpi, "-o", path, object, filepath.Join(b.dir, "libupck.a")); err != nil {
		t.Fatal(err)
	}
	return path
}

// A remark is a line of the stand-in.
type remark struct {
	twin, wanted, id, severity, call, file, line, thread, text, words string
}

// remarks runs a program of mistakes and gives what its threads wrote.
func remarks(t *testing.T, l launch, program string) []remark {
	t.Helper()
	dir := t.TempDir()
	l.dir = dir
	l.env = append(l.env, "UPC_SHARED_HEAP_SIZE=64M")
	if status, out := run(t, l, program); !isZero(status) || !strings.Contains(out, "done") {
		t.Fatalf("%s, %v: exit status %d\n%s", filepath.Base(program), l, status, out)
	}
	var all []remark
	for thread := range l.threads {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("told.%d", thread)))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 10 {
				t.Fatalf("no line of the stand-in: %q", line)
			}
			all = append(all, remark{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9]})
		}
	}
	return all
}

// A sheetRun is a run of a program of mistakes: with several nodes, or with what is reported only if the user asks for
// it.
type sheetRun struct {
	launch
	asked bool
}

// sheetRuns have each mistake on both MPI libraries.
func sheetRuns(name string, all []mistake) []sheetRun {
	runs := []sheetRun{{launch: launch{mpi: "openmpi", threads: 2}},
		{launch: launch{mpi: "mpich", threads: 4, node: 2}}}
	if slices.ContainsFunc(all, func(m mistake) bool { return m.row.Asked }) {
		runs = append(runs, sheetRun{launch{mpi: "mpich", threads: 5}, true},
			sheetRun{launch{mpi: "openmpi", threads: 4}, true})
	}
	if slices.ContainsFunc(all, func(m mistake) bool { return m.nodes }) {
		runs = append(runs, sheetRun{launch: launch{mpi: "openmpi", threads: 4, node: 2}})
	}
	for i := range runs {
		if name == "files" || name == "reductions" {
			runs[i].threads = 2 // much waiting for each other, which takes long with more processes than processors
			runs[i].node = min(runs[i].node, 1)
		}
		if runs[i].asked {
			runs[i].env = []string{"UPCCHECK_SUSPICIOUS=TRUE"}
		}
	}
	return runs
}

// argumentSections runs each wrong argument and its corrected twin. If few will do, each fourth sheet is run with both
// MPI libraries.
func argumentSections(t *testing.T, s *scores) {
	paths, err := filepath.Glob("testdata/arguments/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no mistakes")
	}
	b := newBench(t)
	t.Run("all", func(t *testing.T) {
		for i, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			all := mistakes(t, path)
			section := "arguments: " + name
			for _, m := range all {
				s.has(section, m.name())
			}
			object := sync.OnceValues(func() (string, error) { return b.sheet(name, all) })
			for _, mpi := range mpis {
				if few() && mpi == "openmpi" && i%4 != 2 {
					continue
				}
				t.Run(name+"-"+mpi, func(t *testing.T) {
					t.Parallel()
					object, err := object()
					if err != nil {
						t.Fatal(err)
					}
					program := b.program(t, mpi, object)
					for _, r := range sheetRuns(name, all) {
						if r.mpi == mpi {
							gradeMistakes(t, s, section, all, remarks(t, r.launch, program), r)
						}
					}
				})
			}
		}
	})
}

// gradeMistakes gives the same points as for messages: the check, its kind, the place, the thread with the function,
// the argument with the cause.
func gradeMistakes(t *testing.T, s *scores, section string, all []mistake, lines []remark, r sheetRun) {
	for _, m := range all {
		if m.row.Asked != r.asked || (m.nodes && r.node == 0) {
			continue
		}
		best, words := 0, "nothing"
		for _, l := range lines {
			if l.wanted != m.row.ID {
				continue
			}
			if l.id != m.row.ID && (r.asked || (m.row.Class == catalogue.Suspicious && l.twin == "bad")) {
				// what is legal may be reported for several reasons, and what is suspicious is often wrong a little
				// later
				continue
			}
			if l.twin == "good" {
				t.Errorf("%s:%d: %s, %v: the corrected call is told: %s: %s", m.file, m.line, m.row.ID, r.launch,
					l.id, l.words)
				continue
			}
			if l.id != m.row.ID {
				t.Errorf("%s:%d: %s, %v: another row tells: %s: %s", m.file, m.line, m.row.ID, r.launch, l.id, l.words)
				continue
			}
			if got := gradeRemark(m, l, r.threads); got > best {
				best, words = got, l.words
			}
		}
		if best < points {
			t.Errorf("%s:%d: %s, %v: %d of %d: %s", m.file, m.line, m.row.ID, r.launch, best, points, words)
		}
		s.add(section, m.name(), r.launch, []int{best})
	}
}

func gradeRemark(m mistake, l remark, threads int) int {
	got := 1
	if l.severity == m.row.Class.Severity() {
		got++
	}
	if l.file == m.file && l.line == strconv.Itoa(m.line) {
		got++
	}
	if thread, err := strconv.Atoi(l.thread); err == nil && thread < threads && (l.call == m.row.Function ||
		m.row.Function[0] == '(' || len(m.before) > 0) {
		got++
	}
	argument, _, _ := strings.Cut(m.row.Argument, ",")
	if strings.Contains(l.words, m.wants) && (strings.HasPrefix(argument, "(") ||
		strings.HasPrefix(l.words, argument)) {
		got++
	}
	return got
}

// TestEveryCheckHasAMistake wants a mistake for each row that a wrapper tells.
func TestEveryCheckHasAMistake(t *testing.T) {
	paths, err := filepath.Glob("testdata/arguments/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, path := range paths {
		for _, m := range mistakes(t, path) {
			have[m.row.ID] = true
		}
	}
	for _, r := range catalogue.Rows() {
		if r.Where == catalogue.Wrapper && !have[r.ID] {
			t.Errorf("%s (%s, %s: %s) has no mistake in testdata/arguments", r.ID, r.Function, r.Argument, r.When)
		}
	}
}
