package report

import (
	"bytes"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestTablesReadNoText: a thread waits for a lock, and arguments are source text, if the finding says so, whatever the
// words are.
func TestTablesReadNoText(t *testing.T) {
	language := (&finding.Finding{Language: finding.UPC}).Language.Terms()
	p := finding.Place{State: "blocked", Call: "upc_barrier", Reason: "thread 1, which is in block.upc"}
	if got := stateIn(&language, &p); got != "waiting" {
		t.Errorf("a place with a lock in its words alone is %s", got)
	}
	p.Meaning.Lock = true
	if got := stateIn(&language, &p); got != "waiting for a lock" {
		t.Errorf("a place that waits for a lock is %s", got)
	}

	run := runOf(1, finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest,
		Count: 1, Sentence: "s", Ranks: []int{0},
		Places: []finding.Place{{Rank: 0, State: "blocked", Call: "MPI_Barrier", Args: "(left), a communicator",
			WaitsFor: []int{}}}})
	var b bytes.Buffer
	if err := HTML(&b, run, HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "MPI_Barrier(left)") {
		t.Error("the name of a communicator in parentheses was taken for source text")
	}
}

// TestTablesHaveEachThreadOnce: threads that have reported the same are at it, all of them, and one that did two things
// at one place is one.
func TestTablesHaveEachThreadOnce(t *testing.T) {
	at := func(rank int, state string) finding.Place {
		return finding.Place{Rank: rank, State: state, Call: "upc_unlock(l)", WaitsFor: []int{},
			Frame: finding.Frame{Function: "main", File: "/a.upc", Line: 3}}
	}
	for _, c := range []struct {
		places, others []finding.Place
		want           string
	}{
		{[]finding.Place{at(0, "running"), at(1, "running"), at(2, "running")}, nil,
			"  0-2      running  upc_unlock(l)  main (a.upc:3)\n"},
		{[]finding.Place{at(1, "running")}, []finding.Place{at(0, "ended")},
			"  1        running  after upc_unlock(l)  main (a.upc:3)\n"},
		{[]finding.Place{at(2, "called"), at(2, "called")}, nil, "  2        called  upc_unlock(l)  main (a.upc:3)\n"},
	} {
		f := finding.Finding{Code: finding.UPCRace, Language: finding.UPC, Severity: finding.Error,
			Standing: finding.Manifest,
			Count:    1, Sentence: "s", Ranks: []int{c.places[0].Rank},
			Places: c.places, Others: c.others}
		var b bytes.Buffer
		if err := Terminal(&b, runOf(3, f), TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("got\n%s\nwant %q", &b, c.want)
		}
	}
}
