//go:build !quick

package model

import (
	"testing"

	"unknot/internal/test/testkit"
)

func parse(t testing.TB, threads ...string) Program {
	t.Helper()
	p, err := Parse(threads...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A case is a program with what may be reported of it. always: nothing ends without a report.
type modelCase struct {
	name    string
	threads []string
	slots   int
	want    []ReportKind
	always  bool
	large   bool // a million states and more: for the nightly tests
}

var cases = []modelCase{
	// Theorem 3.4.4: nothing is reported if all threads reach the same operations.
	{name: "same", threads: []string{"c1 s2 b", "c1 s2 b", "c1 s2 b"}},
	{name: "same on four", threads: []string{"b", "b", "b", "b"}},
	{name: "same with end only", threads: []string{"", "", "", ""}},
	{name: "one thread", threads: []string{"b c1 n w l1 u1"}},
	// Theorem 3.4.5: something is reported if one thread reaches another operation.
	{name: "different", threads: []string{"c1", "c2"}, want: []ReportKind{Mismatch}, always: true},
	{name: "different at the second", threads: []string{"b c1", "b c2", "b c1"}, want: []ReportKind{Mismatch},
		always: true},
	{name: "different on opposite threads", threads: []string{"b", "b", "s1", "s1"}, want: []ReportKind{Mismatch},
		always: true},
	{name: "one of four", threads: []string{"b", "b", "b", "c1"}, want: []ReportKind{Mismatch}, always: true},
	{name: "synchronising ones differ", threads: []string{"s1 c3", "s1 c3", "s2 c3"}, want: []ReportKind{Mismatch},
		always: true},
	// (a) the end of a thread against an operation, whoever comes first.
	{name: "end against barrier", threads: []string{"b", ""}, want: []ReportKind{Mismatch}, always: true},
	{name: "end against barrier on three", threads: []string{"b", "", "b"}, want: []ReportKind{Mismatch}, always: true},
	{name: "one operation more", threads: []string{"c1 c1", "c1", "c1"}, want: []ReportKind{Mismatch}, always: true},
	{name: "end against four", threads: []string{"b", "b", "", "b"}, want: []ReportKind{Mismatch}, always: true},
	// upc_barrier is upc_notify and upc_wait.
	{name: "barrier against notify and wait", threads: []string{"b", "n w", "b"}},
	{name: "notify against collective", threads: []string{"n w", "c1", "n w"}, want: []ReportKind{Mismatch},
		always: true},
	// (b) a thread's own order comes before anything is published to others.
	{name: "notify twice", threads: []string{"n n", "n w n w"}, want: []ReportKind{Order}, always: true},
	{name: "wait first", threads: []string{"w", "b"}, want: []ReportKind{Order}, always: true},
	{name: "collective in a split barrier", threads: []string{"n c1 w", "n w c1"}, want: []ReportKind{Order},
		always: true},
	{name: "end in a split barrier", threads: []string{"n", "n w", "n w"}, want: []ReportKind{Order}, always: true},
	// (c) running ahead without synchronisation, and the limit.
	{name: "ahead", threads: []string{"c1 c2 c3 c4", "c1 c2 c3 c4"}, slots: 2},
	{name: "ahead on three", threads: []string{"c1", "c1", "c1"}, slots: 2},
	{name: "ahead with three slots", threads: []string{"c1 c2 c3 c4 c5", "c1 c2 c3 c4 c5"}, slots: 3},
	{name: "ahead of a mismatch", threads: []string{"c1 c2 c3 c4", "c1 c2 c3 c5"}, slots: 2,
		want: []ReportKind{Mismatch}, always: true},
	// Who is ahead may find that it waits for a thread that has ended before that one has compared its end: both are
	// true.
	{name: "ahead of an end", threads: []string{"c1 c2 c3 c4 c5", "c1"}, slots: 2,
		want: []ReportKind{Mismatch, Deadlock}, always: true},
	{name: "ahead with a lock", threads: []string{"l1 c1 c2 c3 u1", "l1 u1 c1 c2 c3"}, slots: 2,
		want: []ReportKind{Deadlock}},
	// Values of barriers.
	{name: "values agree", threads: []string{"b5", "b5", "b5"}},
	{name: "some values", threads: []string{"b5", "b", "b5", "b"}},
	{name: "values differ", threads: []string{"b5", "b6"}, want: []ReportKind{Values}, always: true},
	{name: "values differ across a thread without", threads: []string{"b5", "b", "b6"}, want: []ReportKind{Values},
		always: true},
	{name: "values differ on opposite threads", threads: []string{"b5", "b", "b6", "b"}, want: []ReportKind{Values},
		always: true},
	{name: "values differ across two threads", threads: []string{"n5 w", "n w", "b", "n6 w"},
		want: []ReportKind{Values}, always: true},
	{name: "no notify has a value", threads: []string{"n w5", "n w6", "n w"}},
	{name: "wait's value differs from its notify's", threads: []string{"n5 w6", "n w"}, want: []ReportKind{Values},
		always: true},
	{name: "wait's value differs from a neighbour's notify", threads: []string{"n w6", "n5 w"},
		want: []ReportKind{Values}, always: true},
	{name: "wait's value differs from a far notify", threads: []string{"n w6", "b", "b5", "b"},
		want: []ReportKind{Values}, always: true},
	{name: "wait's value agrees with a far notify", threads: []string{"n w5", "b", "b5", "b"}},
	{name: "values differ in the second phase", threads: []string{"b5 b1", "b5 b2"}, slots: 2,
		want: []ReportKind{Values}, always: true},
	// Locks.
	{name: "locks in turn", threads: []string{"l1 u1", "l1 u1", "l1 u1"}},
	{name: "two locks in one order", threads: []string{"l1 l2 u2 u1", "l1 l2 u2 u1"}},
	{name: "cycle of two", threads: []string{"l1 l2 u2 u1", "l2 l1 u1 u2"}, want: []ReportKind{Deadlock}},
	{name: "cycle of three", threads: []string{"l1 l2", "l2 l3", "l3 l1"}, want: []ReportKind{Deadlock}, large: true},
	{name: "re-lock", threads: []string{"l1 l1", "l1 u1"}, want: []ReportKind{Relock}},
	{name: "re-lock on one thread", threads: []string{"l1 l1"}, want: []ReportKind{Relock}, always: true},
	{name: "unlock of a free lock", threads: []string{"u1", ""}, want: []ReportKind{NotHeld}, always: true},
	// (d) the holder ends, or reaches a collective operation, before or after others wait for it.
	{name: "holder ends", threads: []string{"l1", "l1 u1"}, want: []ReportKind{Deadlock}},
	{name: "holder of a chain ends", threads: []string{"l1", "l2 l1", "l2"}, want: []ReportKind{Deadlock}},
	{name: "holder at a barrier", threads: []string{"l1 b u1", "l1 u1 b"}, want: []ReportKind{Deadlock}},
	{name: "holder at a barrier that the other has come to", threads: []string{"l1 n w u1", "n l1 u1 w"}},
	{name: "holder lets go in a split barrier", threads: []string{"l1 n u1 w", "n l1 u1 w"}},
	{name: "a chain to a barrier", threads: []string{"l1 b", "l2 l1 b", "l2 b"}, want: []ReportKind{Deadlock},
		large: true},
	{name: "who has come waits, and who has not come waits for it", threads: []string{"n l1 u1 w", "n l1 u1 w", "b"}},
	{name: "the last to wait is not missing", threads: []string{"l1 b", "n l2 l1 w", "l2 b"},
		want: []ReportKind{Deadlock}, large: true},
	{name: "a lock across a barrier that nobody wants", threads: []string{"l1 b u1", "b l1 u1"}},
	// (e) operations that do not synchronise are no reason to wait.
	{name: "holder at an operation without synchronisation", threads: []string{"l1 c1 u1", "l1 u1 c1"}},
	{name: "holder at a synchronising one", threads: []string{"l1 s1 u1", "l1 u1 s1"}, want: []ReportKind{Deadlock}},
	// (g) attempts that fail leave nothing behind.
	{name: "attempts", threads: []string{"l1 t2 u2 u1", "l2 t1 u1 u2"}},
	{name: "attempts and barriers", threads: []string{"l1 t2 u2 u1 b", "l2 l1 u1 u2 b"}},
	{name: "attempt that holds at the end", threads: []string{"t1 b", "b l1 u1"}, want: []ReportKind{Deadlock}},
}

func TestAllOrders(t *testing.T) {
	for _, c := range append(cases, more...) {
		if c.large && !testkit.Nightly() {
			continue // a million states and more
		}
		t.Run(c.name, func(t *testing.T) {
			r := Explore(parse(t, c.threads...), Options{Slots: c.slots})
			for _, p := range r.Problems {
				t.Error(p)
			}
			for _, k := range c.want {
				if r.Reports[k] == 0 {
					t.Errorf("kind %d is never told", k)
				}
				delete(r.Reports, k)
			}
			for k, n := range r.Reports {
				t.Errorf("kind %d is told in %d states", k, n)
			}
			if c.always && r.Silent > 0 {
				t.Errorf("%d executions end without a report", r.Silent)
			}
			if len(c.want) == 0 && r.Silent == 0 {
				t.Error("no execution ends")
			}
			t.Logf("%d states", r.States)
		})
	}
}

// mutations are mistakes in the protocol, each with a case that shows it.
var mutations = map[string]string{
	// The ring: orders, and comparisons that are left out.
	"count before record":   "ahead of a mismatch", // lemma 3.4.2
	"compare before count":  "different",           // theorem 3.4.5
	"right is not compared": "different on opposite threads",
	"left is not compared":  "different on opposite threads",
	"no limit":              "ahead", // lemma 3.4.1
	"limit too far":         "ahead",
	// Completions of the paper's algorithm.
	"end does not compare":        "end against barrier",                   // (a)
	"end does not look":           "holder ends",                           // (a)
	"publish before order":        "another collective in a split barrier", // (b)
	"being ahead is not shown":    "ahead with a lock",                     // (c)
	"lock does not look":          "cycle of two",                          // (d)
	"collective does not look":    "holder at a barrier",                   // (d)
	"look before want":            "cycle of two",                          // (d)
	"blocked after count":         "holder at a barrier",                   // (d)
	"only the chain is looked at": "the last to wait is not missing",
	"all collectives synchronise": "holder at an operation without synchronisation", // (e)
	"a failed attempt stays":      "attempts and barriers",                          // (g)
	// Values of barriers.
	"values are not announced":         "values differ on opposite threads",
	"only neighbours' values":          "values differ on opposite threads",
	"upc_wait's value is not compared": "wait's value differs from a neighbour's notify",
	// Chains of which the parts were true at different moments.
	"held before want is taken back": "locks in turn",
	"unlocked before told":           "a lock that was another's before",
	"chains are not read again":      "cycle of two or not",
}

// TestMutations wants each mistake to be found: a report that is not true, one that is missing, or of another kind.
func TestMutations(t *testing.T) {
	for mutation, name := range mutations {
		t.Run(mutation, func(t *testing.T) {
			for _, c := range append(cases, more...) {
				if c.name != name {
					continue
				}
				r := Explore(parse(t, c.threads...), Options{Slots: c.slots, Mutation: mutation})
				if !found(c, r) {
					t.Errorf("%s does not show it", name)
				}
				return
			}
			t.Errorf("there is no case %s", name)
		})
	}
}

// more are cases for mutations, of which the protocol as it is makes no more than of the others.
var more = []modelCase{
	{name: "another collective in a split barrier", threads: []string{"n c1 w", "n w c2"}, want: []ReportKind{Order},
		always: true},
	{name: "a lock that was another's before", threads: []string{"l1 u1", "l1 l2", "l2 l1"},
		want: []ReportKind{Deadlock}},
	{name: "cycle of two or not", threads: []string{"l1 u1 l2 u2", "l2 u2 l1 u1"}},
}

func found(c modelCase, r Result) bool {
	if len(r.Problems) > 0 {
		return true
	}
	for k := range r.Reports {
		wanted := false
		for _, w := range c.want {
			wanted = wanted || k == w
		}
		if !wanted {
			return true
		}
	}
	return c.always && r.Silent > 0
}
