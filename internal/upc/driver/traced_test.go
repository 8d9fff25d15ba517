//go:build !quick

package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/check/model"
)

// tracedSlots is how many records of the ring the traced run-time has: so few that threads run into each other.
const tracedSlots = 4

// tracedCases are programs for the model, each thread's actions in words (model.Parse).
var tracedCases = []struct {
	name    string
	threads []string
	printed model.ReportKind
}{
	{"all agree", []string{"c1 s2 b", "c1 s2 b", "c1 s2 b"}, 0},
	{"four threads", []string{"b", "b", "b", "b"}, 0},
	{"ahead of each other", []string{"c1 c2 c3 c4 c5", "c1 c2 c3 c4 c5"}, 0},
	{"different", []string{"c1", "c2"}, model.Mismatch},
	{"different on opposite threads", []string{"b", "b", "s1", "s1"}, model.Mismatch},
	{"end against barrier", []string{"b", "", "b"}, model.Mismatch},
	{"barrier against notify and wait", []string{"b", "n w", "b"}, 0},
	{"values", []string{"b3 b3", "n3 w3 b3", "b b"}, 0},
	{"different values", []string{"n1 w", "n2 w"}, model.Values},
	{"a value of upc_wait", []string{"n w1", "n2 w"}, model.Values},
	{"notify twice", []string{"n n", "n w n w"}, model.Order},
	{"locks in turn", []string{"l1 u1 b", "b l1 u1"}, 0},
	{"contended lock", []string{"l1 u1 l1 u1", "l1 u1 l1 u1", "l1 u1"}, 0},
	{"attempts", []string{"t1 u1", "t1 u1"}, 0},
	{"two locks, crossing", []string{"l1 b l2 u2 u1", "l2 b l1 u1 u2"}, model.Deadlock},
	{"a lock and a barrier", []string{"l1 n w s1 u1", "n w l1 u1 s1"}, model.Deadlock},
	{"a lock and an end", []string{"l1 n w", "n w l1 u1"}, model.Deadlock},
	{"twice the same lock", []string{"l1 l1", ""}, model.Relock},
}

// TestTheModelAcceptsWhatTheRunTimeDoes compiles the checker's run-time so that each thread writes down its accesses to
// the variables of the protocol, runs programs with it, and has the model find an order of its steps that makes the
// same writes and ends with the same report. So what is proven of the model (package model) is said of this run-time.
// Of traces that were changed, the model finds no such order.
func TestTheModelAcceptsWhatTheRunTimeDoes(t *testing.T) {
	program := tracedProgram(t)
	for i, c := range tracedCases {
		t.Run(c.name, func(t *testing.T) {
			r := program.run(t, i)
			if err := model.Accepts(r.program, model.Options{Slots: tracedSlots}, r.traces, c.printed); err != nil {
				t.Errorf("%v\n%s", err, r.output)
			}
			if (c.printed == 0) != !strings.Contains(r.output, "error:") {
				t.Errorf("want report %d:\n%s", c.printed, r.output)
			}
			if c.name == "locks in turn" {
				refused(t, r)
			}
		})
	}
}

// refused changes the trace of thread 0.
func refused(t *testing.T, r tracedRun) {
	t.Helper()
	for name, change := range map[string]func([]model.Event) []model.Event{
		"no look at the counts": func(l []model.Event) []model.Event {
			return slices.DeleteFunc(l, func(e model.Event) bool { return !e.Write })
		},
		"the count before what it announces": func(l []model.Event) []model.Event {
			i := slices.IndexFunc(l, func(e model.Event) bool { return e.Write && e.Field == "blocked" })
			k := i + slices.IndexFunc(l[i:], func(e model.Event) bool { return e.Write && e.Field == "count" })
			l[i], l[k] = l[k], l[i]
			return l
		},
		"a lock that is not told": func(l []model.Event) []model.Event {
			return slices.DeleteFunc(l, func(e model.Event) bool { return e.Field == "held" })
		},
		"no end": func(l []model.Event) []model.Event {
			return slices.DeleteFunc(l, func(e model.Event) bool { return e.Value == model.Ended })
		},
	} {
		traces := slices.Clone(r.traces)
		traces[0] = change(slices.Clone(traces[0]))
		if model.Accepts(r.program, model.Options{Slots: tracedSlots}, traces, 0) == nil {
			t.Errorf("accepted: %s", name)
		}
	}
}

// traced is a program with all cases, whose threads write traces.
type traced struct{ program string }

// tracedProgram compiles it with a wrapper of mpicc that has the checker's run-time write traces, and fewer slots.
func tracedProgram(t *testing.T) traced {
	t.Helper()
	dir := t.TempDir()
	data, err := filepath.Abs("testdata/traced")
	if err != nil {
		t.Fatal(err)
	}
	object, mpicc := filepath.Join(dir, "traced.o"), filepath.Join(dir, "traced-mpicc")
	if text, err := exec.Command("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-c",
		filepath.Join(data, "traced.c"), "-o", object).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	script := fmt.Sprintf(`#!/bin/sh
link=%s
for a in "$@"; do
	case $a in
	-DUPCR_HIDDEN) exec mpicc.mpich -include %s/traced.h -DUPCK_SLOTS=%d "$@" ;;
	-c | -E | -S | -show | --version | -dump*) link= ;;
	esac
done
exec mpicc.mpich -DUPCK_SLOTS=%d "$@" $link
`, object, data, tracedSlots, tracedSlots)
	source, program := filepath.Join(dir, "program.upc"), filepath.Join(dir, "program")
	if err := errors.Join(os.WriteFile(mpicc, []byte(script), 0o755), os.WriteFile(source, []byte(tracedSource(t)),
		0o666)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", dir)
	var out bytes.Buffer
	if exit := Check(context.Background(), []string{"--mpicc", mpicc, "-w", "-o", program, source}, &out,
		&out); exit != 0 {
		t.Fatalf("exit status %d\n%s", exit, out.String())
	}
	return traced{program}
}

// tracedRun is what a program and its threads did.
type tracedRun struct {
	program model.Program
	traces  [][]model.Event
	output  string
}

func (p traced) run(t *testing.T, n int) tracedRun {
	t.Helper()
	dir, c := t.TempDir(), tracedCases[n]
	var r tracedRun
	for _, actions := range tracedActions(t, c.threads) {
		made := slices.Repeat([]model.Action{{Kind: model.Collective, Signature: 99}}, locksOf(t, c.threads))
		r.program = append(r.program, append(made, actions...))
	}
	cmd := exec.Command("mpirun.mpich", "-n", fmt.Sprint(len(c.threads)), p.program, fmt.Sprint(n))
	cmd.Env = append(testkit.Gently(), "UPCK_TRACES="+dir)
	output, _ := cmd.CombinedOutput() // the status is in the report
	r.output = string(output)
	var lines []string
	for i := range c.threads {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i)))
		// a thread may have come to nothing when another one ended the program
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%v\n%s", err, r.output)
		}
		lines = append(lines, string(text))
	}
	for i := range lines {
		r.traces = append(r.traces, events(t, i, lines[i], lockNames(t, lines)))
	}
	return r
}

// tracedSource is a program with a function for each case. Its locks are made first, by collective operations that do
// not synchronise.
func tracedSource(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <upc_relaxed.h>\n#include <upc_collective.h>\n#include <stdlib.h>\nshared char a[64 * " +
		"THREADS], b[64 * THREADS];\n")
	for n, c := range tracedCases {
		fmt.Fprintf(&b, "static void case%d(void)\n{\n\tupc_lock_t *lock[4];\n\t(void)lock;\n", n)
		for i := range locksOf(t, c.threads) {
			fmt.Fprintf(&b, "\tlock[%d] = upc_all_lock_alloc();\n", i+1)
		}
		b.WriteString("\tswitch (MYTHREAD) {\n")
		for i, actions := range tracedActions(t, c.threads) {
			fmt.Fprintf(&b, "\tcase %d:\n", i)
			for _, a := range actions {
				fmt.Fprintf(&b, "\t\t%s\n", inUPC(a))
			}
			b.WriteString("\t\tbreak;\n")
		}
		b.WriteString("\t}\n}\n")
	}
	b.WriteString("int main(int argc, char **argv)\n{\n\tswitch (atoi(argv[argc - 1])) {\n")
	for n := range tracedCases {
		fmt.Fprintf(&b, "\tcase %d: case%d(); break;\n", n, n)
	}
	b.WriteString("\t}\n\treturn 0;\n}\n")
	return b.String()
}

func tracedActions(t *testing.T, threads []string) model.Program {
	t.Helper()
	p, err := model.Parse(threads...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inUPC is an action as a statement.
func inUPC(a model.Action) string {
	value := ""
	if a.Has {
		value = fmt.Sprintf(" %d", a.Value)
	}
	switch a.Kind {
	case model.Notify:
		return "upc_notify" + value + ";"
	case model.Wait:
		return "upc_wait" + value + ";"
	case model.Barrier:
		return "upc_barrier" + value + ";"
	case model.Lock:
		return fmt.Sprintf("upc_lock(lock[%d]);", a.Lock)
	case model.Unlock:
		return fmt.Sprintf("upc_unlock(lock[%d]);", a.Lock)
	case model.Attempt:
		return fmt.Sprintf("if (!upc_lock_attempt(lock[%d])) break;", a.Lock)
	}
	if a.Sync {
		return fmt.Sprintf("upc_all_broadcast(a, b, %d, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);", a.Signature)
	}
	return fmt.Sprintf("upc_all_alloc(%d, 8);", a.Signature)
}

// locksOf is how many locks a case has, all of which some thread gets.
func locksOf(t *testing.T, threads []string) (n int) {
	t.Helper()
	for _, actions := range tracedActions(t, threads) {
		for _, a := range actions {
			n = max(n, int(a.Lock))
		}
	}
	return n
}

// lockNames are the numbers of the locks by the words that the protocol has for them, which grow from one lock to the
// next.
func lockNames(t *testing.T, lines []string) map[uint64]uint8 {
	t.Helper()
	var ids []uint64
	for line := range strings.Lines(strings.Join(lines, "")) {
		var name string
		var thread int
		var offset, value uint64
		if n, _ := fmt.Sscanf(line, "w upck_%s %d %d %d", &name, &thread, &offset, &value); n == 4 &&
			(name == "want" || name == "held") && value != 0 {
			ids = append(ids, value)
		}
	}
	slices.Sort(ids)
	names := map[uint64]uint8{0: 0}
	for i, id := range slices.Compact(ids) {
		names[id] = uint8(i + 1)
	}
	return names
}

// events are a thread's trace in the terms of the model, which follows no repeated attempts at a lock (upck_tries).
func events(t *testing.T, me int, lines string, locks map[uint64]uint8) []model.Event {
	t.Helper()
	var out []model.Event
	held := uint64(0) // where the first of the locks that the thread holds is published
	for line := range strings.Lines(lines) {
		var what byte
		var name string
		var thread int
		var offset, value uint64
		if n, err := fmt.Sscanf(line, "%c upck_%s %d %d %d", &what, &name, &thread, &offset, &value); n != 5 {
			t.Fatalf("%q: %v", line, err)
		}
		if what == 'r' {
			if name == "count" && thread != me {
				out = append(out, model.Event{Field: name, Thread: thread})
			}
			continue
		}
		e := model.Event{Write: true, Field: name, Thread: thread, Value: uint8(value)}
		switch name {
		case "tries":
			last := len(out) - 1
			for !out[last].Write {
				last--
			}
			out = slices.Delete(out, last, last+1) // of moves
			continue
		case "blocked":
			if value == ^uint64(0) {
				e.Value = model.Ended
			}
		case "want":
			e.Value = locks[value]
		case "held":
			if held == 0 {
				held = offset
			}
			e.Index, e.Value = int(offset-held)/8, locks[value]
		case "valued":
			e.Thread = 0
		case "ahead":
			if value != 0 {
				out = append(out, model.Event{Write: true, Field: "aheadTo", Thread: thread, Value: uint8(value >> 20)})
				value = value&0xfffff + 1
			}
			e.Field, e.Value = "aheadOf", uint8(value)
		}
		out = append(out, e)
	}
	return out
}
