package main

import (
	"strings"
	"testing"
	"time"
)

func TestRowsAreKeptDroppedAndMarked(t *testing.T) {
	const before = "# The long tests\n\nWords.\n\n| what | command | result | time | state |\n|---|---|---|---|---|\n" +
		"| fresh | `go test ./here` | passed | 12 s | abc123, 2026-11-20 10:00 |\n" +
		"| last month | `go test -run X ./here/...` | **failed** | 3 s | abc123-dirty, 2026-11-01 10:00 |\n" +
		"| marked before | `go run ./here` | passed | 3 s | abc123, 2026-11-02 10:00 (**old**) |\n" +
		"| of two packages | `go test ./here ./gone` | passed | 3 s | abc123, 2026-11-20 10:00 |\n" +
		"| no step any more | `go test ./here` | passed | 3 s | abc123, 2026-11-20 10:00 |\n"
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	tab := table{now, func(p string) bool { return strings.HasPrefix(p, "./here") }, parse(before)}
	var steps []step
	for _, what := range []string{"never run", "last month", "fresh", "marked before", "of two packages"} {
		steps = append(steps, step{what: what})
	}
	text := tab.format(steps)
	_, got, _ := strings.Cut(text, "|---|---|---|---|---|\n")
	const want = "| last month | `go test -run X ./here/...` | **failed** | 3 s | abc123-dirty, 2026-11-01 10:00 " +
		"(**old**) |\n" +
		"| fresh | `go test ./here` | passed | 12 s | abc123, 2026-11-20 10:00 |\n" +
		"| marked before | `go run ./here` | passed | 3 s | abc123, 2026-11-02 10:00 (**old**) |\n"
	if got != want {
		t.Errorf("the rows are\n%swant\n%s", got, want)
	}
	again := table{now, tab.there, parse(text)}
	if twice := again.format(steps); twice != text {
		t.Errorf("read and written once more, it is\n%s", twice)
	}
}

// TestStepsNameWhatIsThere holds the steps to packages that exist, and to names that differ.
func TestStepsNameWhatIsThere(t *testing.T) {
	t.Chdir("../..")
	seen := make(map[string]bool)
	for _, s := range all() {
		if seen[s.what] || strings.ContainsAny(s.what, "|`") {
			t.Errorf("a step is called %q, which is no name for a row", s.what)
		}
		seen[s.what] = true
		if !(table{there: there}).current(s.called()) {
			t.Errorf("%s: %s names packages that are not there", s.what, s.called())
		}
		line := table{now: time.Now(), there: there,
			rows: map[string]row{s.what: {what: s.what, command: s.called(), result: passed, state: "a"}}}
		if len(parse(line.format([]step{s}))) != 1 {
			t.Errorf("the row of %s cannot be read again", s.what)
		}
	}
}
