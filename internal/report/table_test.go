package report

import (
	"bytes"
	"strings"
	"testing"

	"unknot/internal/finding"
)

// TestTablesReadNoText: a thread waits for a lock, and arguments are source text, if the finding says so, whatever the words are.
func TestTablesReadNoText(t *testing.T) {
	language := (&finding.Finding{UPC: true}).Language()
	p := finding.Place{State: "blocked", Call: "upc_barrier", Reason: "thread 1, which is in block.upc"}
	if got := stateIn(&language, &p); got != "waiting" {
		t.Errorf("a place with a lock in its words alone is %s", got)
	}
	p.Meaning.Lock = true
	if got := stateIn(&language, &p); got != "waiting for a lock" {
		t.Errorf("a place that waits for a lock is %s", got)
	}

	run := runOf(1, finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Manifest, Count: 1, Sentence: "s", Ranks: []int{0},
		Places: []finding.Place{{Rank: 0, State: "blocked", Call: "MPI_Barrier", Args: "(left), a communicator", WaitsFor: []int{}}}})
	var b bytes.Buffer
	if err := HTML(&b, run, HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "MPI_Barrier(left)") {
		t.Error("the name of a communicator in parentheses was taken for source text")
	}
}
