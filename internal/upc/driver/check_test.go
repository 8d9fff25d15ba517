//go:build !quick

package driver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/layout"
)

// TestMain is the UPC compiler itself, or one like GNU UPC, where a test wants it as a command.
func TestMain(m *testing.M) {
	if os.Getenv("DRIVER_TEST_AS_UPCC") != "" {
		os.Unsetenv("DRIVER_TEST_AS_UPCC")
		os.Exit(Compile(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv("DRIVER_TEST_AS_GNU") != "" {
		os.Unsetenv("DRIVER_TEST_AS_GNU")
		os.Exit(asGNU(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// TestCheckFlags proves what upc-check's own options mean, by themselves and as --upccheck:FLAG, and that they mean
// what they do in gcc for upcc.
func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		line    string
		without layout.Without
		stack   bool
		help    bool
		linker  string
	}{
		{"a.upc", 0, false, false, ""},
		{"-a a.upc", layout.WithoutArguments, false, false, ""},
		{"-d a.upc -lm", layout.WithoutDeadlocks, false, false, "-lm"},
		{"-d_argument_check -d_deadlock_check a.upc", layout.WithoutArguments | layout.WithoutDeadlocks,
			false, false, ""},
		{"-s a.upc", 0, true, false, ""},
		{"-e_track_func_call_stack a.upc -e start", 0, true, false, "-e start"},
		{"--upccheck:a --upccheck:-d --upccheck:s a.upc", layout.WithoutArguments | layout.WithoutDeadlocks,
			true, false, ""},
		{"--upccheck:d_argument_check --upccheck:-e_track_func_call_stack a.upc", layout.WithoutArguments,
			true, false, ""},
		{"-h", 0, false, true, ""},
		{"--upccheck:-h", 0, false, true, ""},
		{"-help a.upc", 0, false, true, ""},
	} {
		o, err := parseOptions(strings.Fields(c.line), &checking{})
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if o.checks.without != c.without || o.checks.stack != c.stack || o.help != c.help {
			t.Errorf("%s: without %d, stack %v, help %v", c.line, o.checks.without, o.checks.stack, o.help)
		}
		if got := strings.Join(o.arguments(forLinker), " "); got != c.linker {
			t.Errorf("%s: the linker gets %q, want %q", c.line, got, c.linker)
		}
	}
	if _, err := parseOptions([]string{"--upccheck:x", "a.upc"}, &checking{}); err == nil ||
		!strings.Contains(err.Error(), "--upccheck:x: no such flag of upc-check") {
		t.Errorf("an unknown flag: %v", err)
	}
	if o, err := parseOptions([]string{"-s", "a.upc"}, nil); err != nil || strings.Join(o.arguments(forLinker),
		" ") != "-s" {
		t.Errorf("upcc -s: %v", err)
	}
}

// place is a directory with sources, which is the working directory of a test.
func place(t *testing.T, sources map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// printed runs a compiler's command line and returns what it prints and its exit status.
func printed(compiler func(context.Context, []string, *bytes.Buffer) int, line string) (string, int) {
	var out bytes.Buffer
	status := compiler(context.Background(), append([]string{"--mpicc", "mpicc.mpich"}, strings.Fields(line)...), &out)
	return out.String(), status
}

func upcc(ctx context.Context, args []string, out *bytes.Buffer) int {
	return Compile(ctx, args, out, out)
}

func upcCheck(ctx context.Context, args []string, out *bytes.Buffer) int {
	return Check(ctx, args, out, out)
}

// must is called for a command line that has to work, without a word but notes.
func must(t *testing.T, compiler func(context.Context, []string, *bytes.Buffer) int, line string) {
	t.Helper()
	if text, status := printed(compiler, line); status != 0 || strings.Contains(text, "error:") ||
		strings.Contains(text, "warning:") {
		t.Fatalf("%s: exit status %d\n%s", line, status, text)
	}
}

// runs launches a program with 3 threads, and gives what it prints and its exit status.
func runs(t *testing.T, program string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "mpirun.mpich", append([]string{"-n", "3", "./" + program}, args...)...)
	command.Env = testkit.Gently()
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	if exit != nil {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

func wants(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

const (
	missing = `#include <upc.h>
void all(void);
int main(void)
{
	all();
	if (MYTHREAD != 1)
		upc_barrier;
	return 0;
}
`
	library = `#include <upc.h>
void all(void) { upc_barrier; }
`
	emptyBroadcast = `#include <upc.h>
#include <upc_collective.h>
shared int sh_val;
shared [4] int to[4 * THREADS];
shared [] int from[4];
static void send(int n)
{
	upc_all_broadcast(to, from, n * sh_val, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}
int main(void)
{
	send((int)sizeof(int));
	return 0;
}
`
	unequalLoops = `#include <upc.h>
#include <stdio.h>
int main(void)
{
	int n = 0;
	upc_barrier;
	upc_forall (int i = 0; i < 10 + MYTHREAD; i++; i)
		n++;
	upc_barrier;
	if (MYTHREAD == 0)
		printf("done\n");
	return n < 0;
}
`
)

// TestCheckedPrograms: programs of upc-check tell what is wrong in them at its place; -c, -a, -d and -s do what they
// say, and parts of a program may be compiled without checks, of which a report says so.
func TestCheckedPrograms(t *testing.T) {
	place(t, map[string]string{"missing.upc": missing, "library.upc": library, "empty.upc": emptyBroadcast,
		"loops.upc": unequalLoops})

	must(t, upcCheck, "-c missing.upc")
	must(t, upcCheck, "-c library.upc -o checked.o")
	must(t, upcCheck, "-o whole missing.instrumented.o checked.o")
	text, status := runs(t, "whole")
	wants(t, text, "upc-deadlock", "missing.upc:7", "thread 1", "missing.upc:8")
	if status != 66 || strings.Contains(text, "not checked") {
		t.Errorf("exit status %d\n%s", status, text)
	}

	must(t, upcc, "-c library.upc")
	must(t, upcCheck, "-o partly missing.upc library.o")
	text, _ = runs(t, "partly")
	wants(t, text, "upc-deadlock", "missing.upc:7", "not checked: library.upc")

	text, status = printed(upcc, "-o wrong missing.instrumented.o checked.o")
	wants(t, text, "some objects contain checks; hint: link the program with upc-check")
	if status != 1 {
		t.Errorf("upcc of objects with checks: exit status %d", status)
	}

	must(t, upcc, "-c missing.upc")
	text, status = printed(upcCheck, "-o main missing.o checked.o")
	wants(t, text, "warning: nothing will be checked: main was compiled without checks")
	if status != 0 {
		t.Errorf("exit status %d\n%s", status, text)
	}
	text, status = printed(upcCheck, "-o none library.upc")
	wants(t, text, "unknot upc-check: error: the program has no function main")
	if status != 1 {
		t.Errorf("exit status %d", status)
	}

	must(t, upcCheck, "-s -o empty empty.upc")
	text, status = runs(t, "empty")
	wants(t, text, "upc-argument", "upc_all_broadcast", "nbytes", "`n * sh_val`", "is 0", "at send (empty.upc:8)",
		"main (empty.upc:12)",
		"sh_val declared at empty.upc:3", "n declared at empty.upc:6")
	if status != 66 {
		t.Errorf("exit status %d", status)
	}
	must(t, upcCheck, "-a -o empty empty.upc")
	if text, status = runs(t, "empty"); strings.Contains(text, "unknot:") || status != 0 {
		t.Errorf("-a: exit status %d\n%s", status, text)
	}

	must(t, upcCheck, "-o loops loops.upc")
	text, _ = runs(t, "loops")
	wants(t, text, "upc-single-valued", "upc_forall", "loops.upc:7", "FORA-01")
	must(t, upcCheck, "-c -d loops.upc")
	must(t, upcCheck, "-o loops loops.instrumented.o")
	if text, status = runs(t, "loops"); text != "done\n" || status != 0 {
		t.Errorf("-d: exit status %d\n%s", status, text)
	}
}

// erroneous are sources that do not compile, each with a part of what is reported of it.
func erroneous() map[string][2]string {
	return map[string][2]string{
		"several errors": {"int main(void)\n{\n\tupc_barrier \"x\";\n\tupc_all_free(3, 4);\n\tupc_forall " +
			"(int i = 0; i < 3; i++; 1.5) ;\n\treturn no;\n}", "bad.upc:8:9: error: 'no' undeclared"},
		"no semicolon":           {"int main(void)\n{\n\tupc_barrier\n}", "error:"},
		"no brace":               {"int main(void)\n{\n\tupc_barrier;\n", "error:"},
		"too few arguments":      {"int main(void) { upc_all_broadcast(0, 0, 4); }", "error:"},
		"too many arguments":     {"int main(void) { upc_lock(0, 1); }", "error:"},
		"wrong argument":         {"struct s { int m; } s;\nint main(void) { upc_memput(s, 0, 4); }", "error:"},
		"undeclared function":    {"int main(void) { upc_no_such(1); }", "upc_no_such"},
		"void value":             {"int main(void) { int i = upc_free(0); return i; }", "error:"},
		"collective as variable": {"int upc_all_broadcast;\nint main(void) { return 0; }", "error:"},
		"redefined function": {"void f(void) { upc_barrier; }\nvoid f(void) { upc_barrier; }\nint main(void) { " +
			"return 0; }", "error:"},
		"break outside":    {"int main(void) { upc_barrier; break; }", "error:"},
		"duplicate case":   {"int main(void) { switch (MYTHREAD) { case 1: upc_barrier; case 1: ; } }", "error:"},
		"undeclared label": {"int main(void) { upc_forall (;;; 1) goto out; }", "error:"},
		"shared automatic": {"int main(void) { shared int i; upc_barrier; }", "error:"},
		"shared to private": {"shared int a[THREADS];\nint main(void) { int *p = a; upc_memget(p, a, 4); }",
			"error:"},
		"unknown type": {"int main(void) { upc_flags_t f; upc_barrier; }", "error:"},
		"failed assertion": {"_Static_assert(sizeof(int) == 3, \"three\");\nint main(void) { upc_barrier; }",
			"three"},
		"error directive": {"#error stop here\nint main(void) { upc_barrier; }", "stop here"},
		"missing header":  {"#include <no/such.h>\nint main(void) { upc_barrier; }", "no/such.h"},
		"unknown instruction": {"int main(void) { upc_barrier; __asm__(\"nosuchinstruction\"); }",
			"nosuchinstruction"},
	}
}

// TestErrorsAreOfTheSource: a source with errors is reported as upcc reports it, word for word, and never by what was
// put into it.
func TestErrorsAreOfTheSource(t *testing.T) {
	for name, e := range erroneous() {
		t.Run(name, func(t *testing.T) {
			place(t, map[string]string{"bad.upc": "#include <upc.h>\n#include <upc_collective.h>\n" + e[0] + "\n"})
			want, status := printed(upcc, "-c bad.upc")
			got, checkedStatus := printed(upcCheck, "-c bad.upc")
			if got != want || status != 1 || checkedStatus != 1 {
				t.Errorf("exit status %d, with checks %d:\n%s\ninstead of\n%s", status, checkedStatus, got, want)
			}
			wants(t, got, e[1])
			if strings.Contains(got, "upck") {
				t.Errorf("generated code is told of:\n%s", got)
			}
		})
	}
}

// TestNativeChecks: with --native the instrumented source and the checker's run-time go to the other compiler as UPC,
// which is upcc here. The program tells the same.
func TestNativeChecks(t *testing.T) {
	place(t, map[string]string{"missing.upc": missing, "library.upc": library})
	script, log := nativeCompiler(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // not for the compiler
	compiled := func(more ...string) int {
		var out bytes.Buffer
		if status := Check(t.Context(),
			append([]string{"--native", script, "-o", "native", "missing.upc", "library.upc"}, more...), &out,
			&out); status != 0 {
			t.Fatalf("exit status %d\n%s", status, out.Bytes())
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(log)
		return strings.Count(string(text), " -c ")
	}
	first := compiled()
	text, status := runs(t, "native")
	wants(t, text, "upc-deadlock", "missing.upc:7", "thread 1", "missing.upc:8")
	if status != 66 {
		t.Errorf("exit status %d", status)
	}
	// The checker's run-time is compiled once.
	again := compiled()
	if first < again+10 || again > 3 {
		t.Errorf("%d sources were compiled, and %d when all was there", first, again)
	}
	if text, status = runs(t, "native"); status != 66 {
		t.Errorf("linked again: exit status %d\n%s", status, text)
	}
	if without := compiled("-d"); without != again+1 {
		t.Errorf("%d sources were compiled for a program with other checks, and %d before", without, again)
	}
	if text, _ = runs(t, "native"); strings.Contains(text, "upc-deadlock") {
		t.Errorf("-d: %s", text)
	}
}

// nativeCompiler is upcc as a compiler of somebody else's, which writes its command lines to a file and does not
// optimise.
func nativeCompiler(t *testing.T) (script, log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	return asCompiler(t, dir, "otherupc", "DRIVER_TEST_AS_UPCC=1", `--mpicc mpicc.mpich "$@" -O0 -g0`,
		`echo "$@" >> `+log), log
}

// asCompiler writes a command that is this test with a variable and arguments, after some other commands. What it
// compiles with is in the cache of this test.
func asCompiler(t *testing.T, dir, name, as, args string, before ...string) (script string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Concat([]string{"#!/bin/sh"}, before,
		[]string{"XDG_CACHE_HOME=" + cache + " " + as + " exec " + self + " " + args, ""})
	script = filepath.Join(dir, name)
	if err := os.WriteFile(script, []byte(strings.Join(lines, "\n")), 0o777); err != nil {
		t.Fatal(err)
	}
	return script
}
