//go:build !quick

// Package upc_test runs small UPC programs, one fact of the language or its libraries each, as a user's programs are
// run.
package upc_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/upckit"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/rt"
)

// sections are those of the reference, each of which has facts or constraints here.
var sections = strings.Fields("1 2 3 4 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.9 5.10 5.11 5.12")

// fact is a function of a file in testdata/conformance, with the section that it is about.
type fact struct{ file, name, section, text string }

var (
	factComment = regexp.MustCompile(`^// ([0-9.]+) (.+)$`)
	factStart   = regexp.MustCompile(`^FACT\((\w+)\)$`)
)

// facts reads the files of testdata/conformance.
func facts(t testing.TB) []fact {
	t.Helper()
	files, err := filepath.Glob("testdata/conformance/*.upc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var all []fact
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var last []string
		for _, line := range strings.Split(string(text), "\n") {
			if m := factComment.FindStringSubmatch(line); m != nil {
				last = m
			}
			if m := factStart.FindStringSubmatch(line); m != nil {
				if last == nil {
					t.Errorf("%s: %s has no comment \"// section text\"", file, m[1])
					continue
				}
				all = append(all, fact{file: file, name: m[1], section: last[1], text: last[2]})
				last = nil
			}
		}
	}
	return all
}

// constraint is a case of testdata/conformance/constraints.txt.
type constraint struct {
	name, section, source, wants string
	threads                      int
}

// constraints reads testdata/conformance/constraints.txt: "=== name [T=n]", the source, whose first comment names the
// section, "---", what is reported.
func constraints(t testing.TB) []constraint {
	t.Helper()
	text, err := os.ReadFile("testdata/conformance/constraints.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []constraint
	for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		k := constraint{}
		k.name, head, _ = strings.Cut(head, " T=")
		fmt.Sscan(head, &k.threads)
		k.source, k.wants, _ = strings.Cut("\n"+body+"\n", "\n---\n")
		k.source, k.wants = strings.TrimPrefix(k.source, "\n")+"\n", strings.TrimSpace(k.wants)
		line, _, _ := strings.Cut(k.source, "\n")
		m := factComment.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("constraint %q has no first line \"// section text\"", k.name)
			continue
		}
		k.section = m[1]
		all = append(all, k)
	}
	return all
}

// TestConformanceIsComplete wants facts of every section of the reference, 400 and more in all, each with a unique
// name.
func TestConformanceIsComplete(t *testing.T) {
	count := map[string]int{}
	names := map[string]string{}
	total := 0
	add := func(name, section, file string) {
		if old, ok := names[name]; ok {
			t.Errorf("%s is in %s and in %s", name, old, file)
		}
		if !slices.Contains(sections, section) {
			t.Errorf("%s: %s is about section %s, which the reference does not have", file, name, section)
		}
		names[name] = file
		count[section]++
		total++
	}
	for _, f := range facts(t) {
		add(f.name, f.section, f.file)
	}
	for _, k := range constraints(t) {
		add(k.name, k.section, "constraints.txt")
	}
	for _, s := range sections {
		if count[s] == 0 {
			t.Errorf("section %s of the reference has no case", s)
		}
	}
	if total < 400 {
		t.Errorf("%d cases, want 400 and more", total)
	}
	t.Logf("%d cases", total)
}

// TestConstraints compares what is reported of each case of constraints.txt. With UPDATE=1 it writes that into the
// file.
func TestConstraints(t *testing.T) {
	var b strings.Builder
	for _, k := range constraints(t) {
		f, diags := syntax.Parse(k.name+".upc", []byte(k.source))
		info := types.Check(f, config(k.threads).Config)
		var told bytes.Buffer
		for _, d := range append(diags, info.Diagnostics...) {
			p := f.Position(d.Pos)
			fmt.Fprintf(&told, "%d:%d: %s: %s", p.Line, p.Column, [...]string{"error", "warning", "note"}[d.Severity],
				d.Message)
			if d.ID != "" {
				fmt.Fprintf(&told, " [%s]", d.ID)
			}
			told.WriteString("\n")
		}
		got := strings.TrimSpace(told.String())
		if got != k.wants {
			t.Errorf("%s: got\n%s\nwant\n%s\nin\n%s", k.name, got, k.wants, k.source)
		}
		fmt.Fprintf(&b, "=== %s", k.name)
		if k.threads > 0 {
			fmt.Fprintf(&b, " T=%d", k.threads)
		}
		fmt.Fprintf(&b, "\n%s---\n%s\n", k.source, got)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("testdata/conformance/constraints.txt", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// config is what the driver tells the checker and the lowering.
func config(threads int) lower.Config {
	return lower.Config{Config: types.Config{Threads: types.Threads(threads), MaxBlock: 1 << 20, PointerSize: 8,
		PointerAlign: 8}}
}

// builder compiles the facts, each file once for each THREADS environment.
type builder struct {
	dir   string
	facts []fact
	// instrument says that checks are put into the sources.
	instrument bool
	// fast says that gcc does not optimise.
	fast bool
}

func (b *builder) run(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	var told bytes.Buffer
	command.Stderr = &told
	out, err := command.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, told.Bytes())
	}
	return out, nil
}

// include are the folders of the headers.
var include = []string{"-Irt/include", "-Irt/c", "-Itestdata/conformance"}

// preprocess preprocesses a file for static THREADS, or dynamic ones for 0.
func (b *builder) preprocess(source string, threads int) ([]byte, error) {
	args := []string{"-E", "-std=gnu11", "-x", "c", "-D__UPC__=1", "-D__UPC_VERSION__=201311L",
		"-DUPC_MAX_BLOCK_SIZE=1048576"}
	if threads > 0 {
		args = append(args, "-D__UPC_STATIC_THREADS__=1", fmt.Sprintf("-DTHREADS=%d", threads))
	} else {
		args = append(args, "-D__UPC_DYNAMIC_THREADS__=1")
	}
	for _, feature := range rt.Features() {
		args = append(args, "-D"+feature+"=1")
	}
	return b.run("gcc", append(append(args, include...), source)...)
}

// object translates and compiles a file for static THREADS, or dynamic ones for 0.
func (b *builder) object(source string, threads int) (string, error) {
	text, err := b.preprocess(source, threads)
	if err != nil {
		return "", err
	}
	file, diags := syntax.Parse(source, text)
	c := config(threads)
	info := types.Check(file, c.Config)
	var errs []string
	for _, d := range append(diags, info.Diagnostics...) {
		if d.Severity == syntax.Error {
			errs = append(errs, fmt.Sprintf("%v: error: %s", file.Position(d.Pos), d.Message))
		}
	}
	if len(errs) > 0 {
		return "", fmt.Errorf("%s, %d threads:\n%s", source, threads, strings.Join(errs, "\n"))
	}
	if b.instrument {
		if file, info, err = withChecks(file, info, c.Config); err != nil {
			return "", err
		}
	}
	lowered, err := lower.Lower(file, info, c)
	if err != nil {
		return "", err
	}
	base := filepath.Join(b.dir, fmt.Sprintf("%s.%d", strings.TrimSuffix(filepath.Base(source), ".upc"), threads))
	if err := os.WriteFile(base+".c", lowered.Bytes, 0o600); err != nil {
		return "", err
	}
	optimisation := "-O1"
	if b.fast {
		optimisation = "-O0"
	}
	_, err = b.run("gcc", append([]string{"-std=gnu11", optimisation, "-g", "-c", base + ".c", "-o", base + ".o"},
		include...)...)
	return base + ".o", err
}

// main writes the program that calls all facts. Its threads write to the file that CONFORM_OUTPUT names, because a
// launcher may lose what was printed just before a thread aborts.
func (b *builder) main() (string, error) {
	var text strings.Builder
	text.WriteString(`#include "conform.h"
static int failures;
static const char *current = "";
static FILE *output;
void conform_is(int holds, const char *what, const char *file, int line)
{
	if (!holds && failures++ < 20) {
		fprintf(output, "FAIL %s thread %d of %d: %s:%d: %s\n", current, MYTHREAD, THREADS, file, line, what);
		fflush(output);
	}
}
static void all(const char *name, void (*fact)(void))
{
	current = name;
	failures = 0;
	if (MYTHREAD == 0) {
		fprintf(output, "run %s\n", name);
		fflush(output);
	}
	upc_barrier;
	fact();
	upc_barrier;
}
`)
	for _, f := range b.facts {
		fmt.Fprintf(&text, "void %s(void);\n", f.name)
	}
	text.WriteString("int main(void)\n{\n\toutput = fopen(getenv(\"CONFORM_OUTPUT\"), \"a\");\n")
	for _, f := range b.facts {
		fmt.Fprintf(&text, "\tall(\"%s\", %s);\n", f.name, f.name)
	}
	text.WriteString("\tif (MYTHREAD == 0)\n\t\tfprintf(output, \"done\\n\");\n\treturn fclose(output);\n}\n")
	path := filepath.Join(b.dir, "main.upc")
	return path, os.WriteFile(path, []byte(text.String()), 0o600)
}

// link makes a program of objects, with the run-time.
func (b *builder) link(mpi string, objects ...string) (string, error) {
	mpi = testkit.Library(mpi)
	program := filepath.Join(b.dir, mpi+"-"+strings.TrimSuffix(filepath.Base(objects[0]), ".o"))
	return program, upckit.Link(context.Background(), "mpicc."+mpi, program, objects...)
}

// parallel runs n jobs, two at a time, and gives the first error.
func parallel(n int, job func(i int) error) error {
	errs := make(chan error, n)
	slots := make(chan struct{}, 2)
	for i := range n {
		slots <- struct{}{}
		go func() {
			errs <- job(i)
			<-slots
		}()
	}
	var first error
	for range n {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// launch is a run of a program that was compiled for static THREADS, or for dynamic ones if static is 0. With node,
// each so many threads take themselves for a node.
type launch struct {
	mpi                   string
	threads, static, node int
}

// TestConformance runs all facts, all in one program, launched once for each number of threads: nightly 1, 2, 4 and 5
// threads on both MPIs, with static and dynamic THREADS; else one static number, without optimisation, and each count
// on one of the MPIs.
func TestConformance(t *testing.T) {
	counts := []int{1, 2, 4, 5}
	environments := []int{0, 4}
	if testkit.Nightly() {
		environments = append([]int{0}, counts...)
	}
	for _, static := range environments {
		b := &builder{dir: t.TempDir(), facts: facts(t), fast: static != 0 && !testkit.Nightly()}
		objects, err := b.objects(static)
		if err != nil {
			t.Fatal(err)
		}
		// A waiting process of MPICH keeps a processor busy, so Open MPI has most of those that are more than
		// processors.
		launches := []launch{{mpi: "mpich", threads: static, static: static}}
		if static == 0 {
			launches = []launch{{mpi: "mpich", threads: 1}, {mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 4},
				{mpi: "openmpi", threads: 5},
				{mpi: "openmpi", threads: 4, node: 2}}
		}
		if testkit.Nightly() {
			launches = onBoth(launches)
		}
		programs := map[string]string{}
		for _, l := range launches {
			if programs[l.mpi] == "" {
				if programs[l.mpi], err = b.link(l.mpi, objects...); err != nil {
					t.Fatal(err)
				}
			}
			for _, problem := range b.check(programs[l.mpi], l) {
				t.Error(problem)
			}
		}
	}
}

// onBoth has each launch with each MPI.
func onBoth(launches []launch) (all []launch) {
	for _, l := range launches {
		for _, l.mpi = range []string{"openmpi", "mpich"} {
			all = append(all, l)
		}
	}
	return all
}

// objects compiles the files of the facts and their main for static THREADS, or dynamic ones for 0.
func (b *builder) objects(threads int) ([]string, error) {
	sources, err := b.sources()
	if err != nil {
		return nil, err
	}
	objects := make([]string, len(sources))
	return objects, parallel(len(sources), func(i int) (err error) {
		objects[i], err = b.object(sources[i], threads)
		return err
	})
}

// sources are the files of the facts, and a main for them.
func (b *builder) sources() ([]string, error) {
	mainFile, err := b.main()
	sources := []string{mainFile}
	for _, f := range b.facts {
		if !slices.Contains(sources, f.file) {
			sources = append(sources, f.file)
		}
	}
	return sources, err
}

// check launches a program and tells facts that fail or do not run.
func (b *builder) check(program string, l launch) (problems []string) {
	l.mpi = testkit.Library(l.mpi)
	what := fmt.Sprintf("%s, %d threads, static %d", l.mpi, l.threads, l.static)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "mpirun."+l.mpi, "-n", fmt.Sprint(l.threads), program)
	command.Dir = b.dir
	command.Env = append(testkit.Gently(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1",
		"OMPI_MCA_orte_tmpdir_base="+b.dir)
	if l.node > 0 {
		what += fmt.Sprintf(", %d on a node", l.node)
		command.Env = append(command.Env, fmt.Sprintf("UPC_NODE_THREADS=%d", l.node))
	}
	output, err := os.CreateTemp(b.dir, "output")
	if err != nil {
		return append(problems, fmt.Sprintf("%s: %v", what, err))
	}
	defer output.Close()
	command.Env = append(command.Env, "CONFORM_OUTPUT="+output.Name())
	var stderr bytes.Buffer
	command.Stderr = &stderr
	err = command.Run()
	out, _ := io.ReadAll(output)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	ran := map[string]bool{}
	last := ""
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "run "); ok {
			ran[name] = true
			last = name
		}
		if strings.HasPrefix(line, "FAIL ") {
			problems = append(problems, what+": "+line)
		}
	}
	if bytes.Contains(stderr.Bytes(), []byte("unknot: ")) {
		problems = append(problems, fmt.Sprintf("%s: in %q: %s", what, last, stderr.Bytes()))
	}
	if err != nil || !slices.Contains(lines, "done") {
		return append(problems, fmt.Sprintf("%s: ended in %q: %v\n%s", what, last, err, stderr.Bytes()))
	}
	for _, f := range b.facts {
		if !ran[f.name] {
			problems = append(problems, fmt.Sprintf("%s: %s did not run", what, f.name))
		}
	}
	return problems
}

// TestConformanceTellsFailures wants that a fact that does not hold on one thread, and one that ends the program, are
// reported.
func TestConformanceTellsFailures(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "facts.upc")
	b := &builder{dir: dir, facts: []fact{{name: "holds", file: source}, {name: "fails", file: source},
		{name: "ends", file: source}, {name: "never", file: source}}}
	text := `#include "conform.h"
FACT(holds) { IS(THREADS == 2); }
FACT(fails) { IS(MYTHREAD == 0); }
FACT(ends) { if (MYTHREAD == 1) abort(); }
FACT(never) { }
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, err := b.objects(0)
	if err != nil {
		t.Fatal(err)
	}
	program, err := b.link("mpich", objects...)
	if err != nil {
		t.Fatal(err)
	}
	problems := b.check(program, launch{mpi: "mpich", threads: 2})
	if len(problems) != 2 {
		t.Fatalf("%d problems, want 2: %q", len(problems), problems)
	}
	if want := "FAIL fails thread 1 of 2: "; !strings.Contains(problems[0], want) ||
		!strings.Contains(problems[0], "facts.upc:3: MYTHREAD == 0") {
		t.Errorf("told %q, want %q and the place", problems[0], want)
	}
	if want := `ended in "ends"`; !strings.Contains(problems[1], want) {
		t.Errorf("told %q, want %q", problems[1], want)
	}
}
