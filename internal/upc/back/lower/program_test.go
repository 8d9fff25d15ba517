//go:build !quick

package lower_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// build compiles UPC sources, given by their names and texts, into one program for an MPI.
func build(t *testing.T, mpi string, sources map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	var objects []string
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name := range sources {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, ".upc") {
			objects = append(objects, object(t, dir, strings.TrimSuffix(name, ".upc"), translate(t, path, 0), "-O2"))
		}
	}
	slices.Sort(objects)
	program := filepath.Join(dir, "program")
	link(t, mpi, program, objects)
	return program
}

// TestFormsOfMain: main is called in whichever form it is written, and its result is the exit status.
func TestFormsOfMain(t *testing.T) {
	forms := map[string]string{
		"none": "int main(void) { return THREADS + 4; }",
		"two": "int main(int argc, char **argv) { return argc == 2 && argv[1][0] == 'x' && !argv[2] ? " +
			"THREADS + 4 : 1; }",
		"three": "int main(int argc, char *argv[], char **envp) { return argc == 2 && envp[0] ? THREADS + 4 : 1; }",
		"old":   "int main(argc, argv) int argc; char **argv; { return argv[argc] ? 1 : THREADS + 4; }",
		"declared": "int main(int, char **); shared int n; int main(int c, char **v) { n = 4; return c == 2 ? " +
			"main(1, v) : THREADS + n; }",
		"exit": "void exit(int); int main(void) { shared int *p = 0; if (!p) exit(THREADS + 4); return 0; }",
	}
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			program := build(t, "mpich", map[string]string{"main.upc": text + "\n"})
			out, err := launch("mpich", 1, program, "x")
			if err == nil || !strings.Contains(err.Error(), "exit status 5") {
				t.Errorf("%v, not exit status 5\n%s", err, out)
			}
		})
	}
}

// TestSeparateCompilation: shared objects of external linkage are one object in all translation units.
func TestSeparateCompilation(t *testing.T) {
	sources := map[string]string{
		"common.h": `extern shared int counts[THREADS];
extern shared [3] double values[6 * THREADS];
extern shared struct pair { int x, y; } pair;
extern shared int *shared link, *own;
shared int tentative;
static inline shared int *count(int i) { static shared int calls; calls++; return &counts[i]; }
int total(void);
`,
		"one.upc": `#include <upc.h>
#include <stdio.h>
#include "common.h"
int main(void)
{
	int i;
	*count(MYTHREAD) += MYTHREAD + 1;
	upc_forall (i = 0; i < 6 * THREADS; i++; &values[i])
		values[i] = i / 2.0;
	if (MYTHREAD == 0) {
		pair.y = 7;
		tentative = 9;
	}
	upc_barrier;
	i = total();
	if (MYTHREAD == 0)
		printf("%d %d %d\n", i, (int)upc_blocksizeof(values), link == &counts[THREADS - 1] && own == &counts[0]);
	return 0;
}
`,
		"two.upc": `#include "common.h"
shared int counts[THREADS] = { 100 };
shared [3] double values[6 * THREADS];
shared struct pair pair = { 5 };
shared int *shared link = &counts[0] + 1 - 1, *own = counts;
int total(void)
{
	int i, n = pair.x + pair.y + tentative;
	link = &counts[THREADS - 1]; /* by all, the same */
	for (i = 0; i < THREADS; i++)
		n += counts[i];
	for (i = 0; i < 6 * THREADS; i++)
		n += (int)(values[i] * 2);
	return n;
}
`,
	}
	for _, mpi := range testkit.Libraries(1) {
		program := build(t, mpi, sources)
		out, err := launch(mpi, 3, program)
		if want := fmt.Sprintf("%d 3 1\n", 5+7+9+100+6+17*18/2); err != nil || out != want {
			t.Errorf("%s: %v: %q, not %q", mpi, err, out, want)
		}
	}
}

// TestLines: what gcc tells of lowered text, and what debuggers see of it, is in the lines of the source.
func TestLines(t *testing.T) {
	const source = `shared [4] int a[8 * THREADS], b[8 * THREADS];
int f(int);
void g(int n)
{
	int i, unused;
	upc_forall (i = 0; i < n; i++; &a[i]) {
		a[i] = b[i] +
		       f(a[i + 1]);
		b[i] = f(i) / 0;
	}
	for (i = 0; i < n; i++)
		a[i] = f(2 *
		         b[i]);
	a[f(n)] += f(
		a[n]) /
		0;
	upc_barrier f(3);
}
`
	dir := t.TempDir()
	path := filepath.Join(dir, "g.lowered.c")
	if err := os.WriteFile(path, lowered(t, "g.upc", []byte(source), 0), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu11", "-g", "-Wall", "-S", "-o", "-", path}, include()...)
	out := run(t, "gcc", args...)
	for _, want := range []string{"g.upc:5:", "g.upc:9:", "unused variable"} {
		if !strings.Contains(out, want) {
			t.Errorf("gcc does not tell %q:\n%s", want, out)
		}
	}
	file := regexp.MustCompile(`\.file (\d+) "g\.upc"`).FindStringSubmatch(out)
	if file == nil {
		t.Fatal("the source has no line numbers")
	}
	lines := map[string]bool{}
	for _, m := range regexp.MustCompile(`\.loc `+file[1]+` (\d+) `).FindAllStringSubmatch(out, -1) {
		lines[m[1]] = true
	}
	for _, n := range []string{"4", "6", "7", "8", "9", "11", "12", "14", "17", "18"} {
		if !lines[n] {
			t.Errorf("no code counts to line %s", n)
		}
	}
	for n := range lines {
		if !slices.Contains([]string{"3", "4", "5", "6", "7", "8", "9", "11", "12", "13", "14", "15", "16", "17", "18"},
			n) {
			t.Errorf("code counts to line %s, where there is none", n)
		}
	}
}
