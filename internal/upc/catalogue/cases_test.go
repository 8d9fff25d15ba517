package catalogue_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/upc/catalogue"
	"unknot/internal/upc/checkrt"
	"unknot/internal/upc/driver"
)

// kept is for one who writes cases: the library of an earlier run is used again.
var kept = flag.String("kept", "", "a directory for the programs, and for the library, which is compiled only if it is not there")

// A mistake is a row of the catalogue with a wrong call and its corrected twin, from testdata/cases. See core.txt for the format.
type mistake struct {
	row       catalogue.Row
	file      string
	line      int
	setup     []string
	cleanup   []string
	shapes    map[int]string
	bad, good string
	wants     string
	nodes     bool // only with several nodes
}

var argumentText = regexp.MustCompile(`^(.*?) = (.*?) :: (.*?) :: (.*?) :: (.*)$`)

// mistakes reads a file of cases. A block stands for each of its functions.
func mistakes(t testing.TB, path string) []mistake {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*catalogue.Function{}
	for _, f := range catalogue.Functions() {
		functions[f.Name] = f
	}
	var all []mistake
	var names, setup, cleanup []string
	var shapes map[int]string
	lines := strings.Split(string(text), "\n")
	for n, line := range lines {
		switch {
		case line == "", line[0] == '#':
		case line[0] == '@':
			names, setup, cleanup, shapes = strings.Fields(line[1:]), nil, nil, map[int]string{}
			if strings.HasPrefix(line, "@ (") {
				names = []string{line[2:]}
			}
		case strings.HasPrefix(line, "| "):
			setup = append(setup, line[2:])
		case strings.HasPrefix(line, "> "):
			cleanup = append(cleanup, line[2:])
		case strings.HasPrefix(line, "~ "):
			index, shape, _ := strings.Cut(line[2:], " ")
			i, err := strconv.Atoi(index)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, n+1, err)
			}
			shapes[i] = shape
		default:
			m := argumentText.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("%s:%d: no case: %s", path, n+1, line)
			}
			found := false
			for _, name := range names {
				f := functions[name]
				if f == nil {
					t.Fatalf("%s:%d: no function %s", path, n+1, name)
				}
				expand := expansion(f)
				for _, r := range f.Rows {
					if r.Where != catalogue.Wrapper || r.Argument != m[1] || !strings.HasPrefix(r.When, m[2]) {
						continue
					}
					found = true
					all = append(all, mistake{row: r, file: filepath.Base(path), line: n + 1, setup: apply(expand, setup), cleanup: apply(expand, cleanup), shapes: shapes, bad: expand.Replace(m[3]),
						good: expand.Replace(m[4]), wants: expand.Replace(m[5]), nodes: strings.HasPrefix(m[3], "N: ")})
				}
			}
			if !found {
				t.Errorf("%s:%d: no row of %v has argument %q and begins with %q", path, n+1, names, m[1], m[2])
			}
		}
	}
	return all
}

func apply(r *strings.Replacer, lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, r.Replace(l))
	}
	return out
}

// expansion puts the function's name for F, and, for reductions, the type of the elements for TYPE.
func expansion(f *catalogue.Function) *strings.Replacer {
	pairs := []string{"F(", f.Name + "(", "N: ", ""}
	for _, p := range f.Params {
		if p.Name == "func" {
			typeName, _, _ := strings.Cut(p.Type, "(*")
			typeName = strings.TrimSpace(typeName)
			pairs = append(pairs, "TYPE", typeName, "SUFFIX", strings.ReplaceAll(typeName, " ", "_"))
		}
	}
	return strings.NewReplacer(pairs...)
}

// program writes the cases as functions, with wrapped calls in the way of instrumented sources.
type program struct {
	bytes.Buffer
	wrapped map[string]bool
	sites   int
}

var libraryCall = regexp.MustCompile(`\bupc_\w+\(`)

// instrument puts wrappers for the calls of library functions.
func (p *program) instrument(text string, m *mistake, sites *[]string) string {
	at := libraryCall.FindStringIndex(text)
	if at == nil {
		return text
	}
	name := text[at[0] : at[1]-1]
	depth, end := 1, at[1]
	start, args := end, []string{}
	for ; depth > 0 && end < len(text); end++ {
		switch text[end] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		}
		if (text[end] == ',' && depth == 1) || depth == 0 {
			if end > start {
				args = append(args, strings.TrimSpace(text[start:end]))
			}
			start = end + 1
		}
	}
	rest := p.instrument(text[end:], m, sites)
	if !p.wrapped[name] {
		return text[:at[1]] + p.instrument(text[at[1]:end], m, sites) + rest
	}
	before := strings.TrimSpace(text[:at[0]])
	unused := 0
	if before == "" || strings.HasSuffix(before, ";") {
		unused = 1
	}
	k := p.sites
	p.sites++
	var texts, shapes []string
	for i, a := range args {
		texts = append(texts, fmt.Sprintf("{%q, 0}", a))
		shape := "{-1, 0, 0, 0, 0, 0, -1, -1}"
		if s := m.shapes[i]; s != "" && name == m.row.Function {
			shape = s
		}
		shapes = append(shapes, shape)
	}
	if len(texts) == 0 {
		texts, shapes = []string{"{0, 0}"}, []string{"{-1, 0, 0, 0, 0, 0, -1, -1}"}
	}
	*sites = append(*sites, fmt.Sprintf("static const struct upck_arg args_%d[] = {%s};\nstatic struct upck_shape shapes_%[1]d[] = {%[3]s};\n"+
		"static const struct upck_site site_%[1]d = {%[4]q, %[5]q, \"main\", %[6]d, %[7]d, args_%[1]d, 0, shapes_%[1]d, %[8]d};\n",
		k, strings.Join(texts, ", "), strings.Join(shapes, ", "), name, m.file, m.line, len(args), unused))
	call := fmt.Sprintf("upckw_%s(&site_%d", name, k)
	for _, a := range args {
		call += ", " + p.instrument(a, m, sites)
	}
	return text[:at[0]] + call + ")" + rest
}

const preamble = `#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_tick.h>
#include <upc_castable.h>
#include "upck_args.h"
#include "books_transfers.h"
#include "standin.h"
shared int somewhere;
shared int cyclic[8 * THREADS];
shared [2] int pairs[2 * THREADS];
shared [] int together[8];
static long x;
static char somewhat;
static int compare(shared void *a, shared void *b) { (void)a, (void)b; return 0; }
`

func (p *program) write(all []mistake) {
	p.WriteString(preamble)
	for _, f := range catalogue.Functions() {
		if f.Wrapped() {
			p.wrapped[f.Name] = true
			params := []string{"const struct upck_site *"}
			for _, a := range f.Params {
				params = append(params, a.Declaration())
			}
			fmt.Fprintf(p, "%s upckw_%s(%s);\n", f.Result, f.Name, strings.Join(params, ", "))
		}
	}
	for _, t := range []string{"signed char", "unsigned char", "signed short", "unsigned short", "signed int", "unsigned int", "signed long", "unsigned long", "float", "double", "long double"} {
		fmt.Fprintf(p, "static %s add_%s(%[1]s a, %[1]s b) { return a + b; }\n", t, strings.ReplaceAll(t, " ", "_"))
	}
	for i := range all {
		m := &all[i]
		var sites []string
		text := map[string]string{}
		for which, call := range map[string]string{"bad": m.bad, "good": m.good} {
			own := strings.NewReplacer(`("file"`, fmt.Sprintf(`("file_%s_%d"`, which, i), `("./good"`, fmt.Sprintf(`("./good_%s_%d"`, which, i), `("good"`, fmt.Sprintf(`("good_%s_%d"`, which, i), `("plain"`, fmt.Sprintf(`("plain_%s_%d"`, which, i))
			var body strings.Builder
			for _, s := range m.setup {
				fmt.Fprintf(&body, "\t%s\n", p.instrument(own.Replace(s), m, &sites))
			}
			fmt.Fprintf(&body, "\tif (setjmp(standin_now.back) == 0) {\n\t\t%s;\n\t}\n", p.instrument(own.Replace(call), m, &sites))
			if !strings.Contains(strings.Join(m.setup, " ")+call, "upc_notify") {
				// Nothing is freed before all threads have checked: what one that is ahead has freed is not told any more, and then the
				// threads would carry out different operations.
				body.WriteString("\tupc_barrier;\n")
			}
			for _, s := range m.cleanup {
				fmt.Fprintf(&body, "\t%s\n", p.instrument(s, m, &sites))
			}
			text[which] = body.String()
		}
		p.WriteString(strings.Join(sites, ""))
		fmt.Fprintf(p, "static void bad_%d(void)\n{\n%s}\nstatic void good_%[1]d(void)\n{\n%[3]s}\n", i, text["bad"], text["good"])
	}
	p.WriteString("int main(void)\n{\n\tint several = getenv(\"UPC_NODE_THREADS\") != 0;\n")
	for i, m := range all {
		asked := map[bool]string{false: "", true: "!"}[!m.row.Asked]
		only := ""
		if m.nodes {
			only = " && several"
		}
		fmt.Fprintf(p, "\tif (%supck_suspicious()%s)\n\t\tfor (int bad = 1; bad >= 0; bad--) {\n\t\t\tstandin_now.id = %q;\n\t\t\tstandin_now.bad = bad;\n\t\t\tupc_barrier;\n\t\t\tbad ? bad_%d() : good_%[4]d();\n\t\t\tupc_barrier;\n\t\t}\n",
			asked, only, m.row.ID, i)
	}
	p.WriteString("\tstandin_now.id = \"end\";\n\tif (MYTHREAD == 0)\n\t\tprintf(\"done\\n\");\n\treturn 0;\n}\n")
}

// build compiles a program with the wrappers and the stand-in. The library is made once.
func build(t *testing.T, dir string, all []mistake, name string) string {
	t.Helper()
	p := &program{wrapped: map[string]bool{}}
	p.write(all)
	source := filepath.Join(dir, name+".upc")
	if err := os.WriteFile(source, p.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, name)
	compile(t, "-w", "-g", "-I"+dir, "--mpicc", "mpicc.openmpi", "-o", program, source, filepath.Join(dir, "libupck.a"))
	return program
}

func compile(t *testing.T, args ...string) {
	t.Helper()
	var told bytes.Buffer
	if status := driver.Compile(context.Background(), args, io.Discard, &told); status != 0 {
		t.Fatalf("upcc %v: status %d\n%s", args, status, told.String())
	}
}

// library compiles the wrappers, what they need, and the stand-in, without warnings.
func library(t *testing.T, dir string) {
	t.Helper()
	sources := catalogue.Sources()
	for name, from := range map[string]fs.FS{"standin.upc": os.DirFS("testdata/standin"), "standin.h": os.DirFS("testdata/standin"), "rt/upck.h": checkrt.Sources} {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			t.Fatal(err)
		}
		sources[path.Base(name)] = string(text)
	}
	var objects []string
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name := range sources {
		if strings.HasSuffix(name, ".upc") {
			object := filepath.Join(dir, strings.TrimSuffix(name, ".upc")+".o")
			compile(t, "--mpicc", "mpicc.openmpi", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-c", filepath.Join(dir, name), "-o", object)
			objects = append(objects, object)
		}
	}
	slices.Sort(objects)
	if out, err := exec.Command("ar", append([]string{"rcsD", filepath.Join(dir, "libupck.a")}, objects...)...).CombinedOutput(); err != nil {
		t.Fatalf("ar: %v\n%s", err, out)
	}
}

// told is a line of the stand-in.
type told struct {
	twin, wanted, id, severity, call, file, line, thread, text, words string
}

func launch(t *testing.T, program string, threads int, env ...string) []told {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun.openmpi", "-n", strconv.Itoa(threads), program)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_orte_tmpdir_base="+cmd.Dir,
		"UPC_SHARED_HEAP_SIZE=64M")
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "done") {
		t.Fatalf("%s with %d threads %v: %v\n%s", filepath.Base(program), threads, env, err, errs.String())
	}
	var all []told
	var text []byte
	for thread := range threads {
		part, err := os.ReadFile(filepath.Join(cmd.Dir, fmt.Sprintf("told.%d", thread)))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if line == "" {
			continue
		}
		if len(f) != 10 {
			t.Fatalf("no line of the stand-in: %q", line)
		}
		all = append(all, told{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9]})
	}
	return all
}

// TestMistakes runs each mistake and its twin. What is told of a mistake is graded as UPC-CHECK's tests are: one point each for the finding, its
// kind, the place (file and line), the thread with the function, and the argument with the cause. All have to have five, and the twins none.
func TestMistakes(t *testing.T) {
	dir := *kept
	if dir == "" {
		dir = t.TempDir()
	}
	if _, err := os.Stat(filepath.Join(dir, "libupck.a")); err != nil {
		library(t, dir)
	}
	paths, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			all := mistakes(t, path)
			program := build(t, dir, all, "cases_"+name)
			for _, run := range []struct {
				threads int
				asked   bool
				env     []string
			}{{2, false, nil}, {5, true, nil}, {4, false, []string{"UPC_NODE_THREADS=2"}}} {
				if name == "files" || name == "reductions" {
					run.threads = min(run.threads, 2) // much waiting for each other, which takes long with more processes than processors
				}
				env := run.env
				if run.asked {
					env = append(env, "UPCCHECK_SUSPICIOUS=TRUE")
				}
				t.Run(fmt.Sprintf("%d%v", run.threads, env), func(t *testing.T) {
					grade(t, all, launch(t, program, run.threads, env...), run.threads, run.asked, run.env != nil)
				})
			}
		})
	}
}

func grade(t *testing.T, all []mistake, lines []told, threads int, asked, nodes bool) {
	points, count := 0, 0
	for _, m := range all {
		if m.row.Asked != asked || (m.nodes && !nodes) {
			continue
		}
		count++
		best, words := 0, "nothing"
		for _, l := range lines {
			if l.wanted != m.row.ID {
				continue
			}
			if l.id != m.row.ID && (asked || (m.row.Class == catalogue.Suspicious && l.twin == "bad")) {
				continue // what is legal may be told for several reasons, and what is suspicious is often wrong a little later
			}
			if l.twin == "good" {
				t.Errorf("%s:%d: %s: the corrected call is told: %s: %s", m.file, m.line, m.row.ID, l.id, l.words)
				continue
			}
			if l.id != m.row.ID {
				t.Errorf("%s:%d: %s: another row tells: %s: %s", m.file, m.line, m.row.ID, l.id, l.words)
				continue
			}
			got := 1
			if l.severity == m.row.Class.Severity() {
				got++
			}
			if l.file == m.file && l.line == strconv.Itoa(m.line) {
				got++
			}
			if thread, err := strconv.Atoi(l.thread); err == nil && thread < threads && (l.call == m.row.Function || m.row.Function[0] == '(') {
				got++
			}
			argument, _, _ := strings.Cut(m.row.Argument, ",")
			if strings.Contains(l.words, m.wants) && (strings.HasPrefix(argument, "(") || strings.HasPrefix(l.words, argument)) {
				got++
			}
			if got > best {
				best, words = got, l.words
			}
		}
		if best < 5 {
			t.Errorf("%s:%d: %s gets %d of 5: %s", m.file, m.line, m.row.ID, best, words)
		}
		points += best
	}
	if count > 0 {
		t.Logf("%d mistakes, average %.2f", count, float64(points)/float64(count))
	}
}

// TestEveryCheckHasAMistake wants a case for each row that a wrapper tells.
func TestEveryCheckHasAMistake(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, path := range paths {
		for _, m := range mistakes(t, path) {
			have[m.row.ID] = true
		}
	}
	checked := 0
	for _, r := range catalogue.Rows() {
		if r.Where != catalogue.Wrapper {
			continue
		}
		checked++
		if !have[r.ID] {
			t.Errorf("%s (%s, %s: %s) has no mistake in testdata/cases", r.ID, r.Function, r.Argument, r.When)
		}
	}
	t.Logf("%d rows are told by wrappers", checked)
}
