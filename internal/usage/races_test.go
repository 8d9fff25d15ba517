package usage

import (
	"strings"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/probe/mpiapi"
)

func TestARaceIsAWarningOnlyIfItIsAskedForByName(t *testing.T) {
	for selection, want := range map[string]finding.Severity{
		"": finding.Info, "+all": finding.Info, "+messages": finding.Info, "+message-race": finding.Warning, "+message-races": finding.Warning,
		"+message-race,-message-races,+messages": finding.Info,
	} {
		s, err := ParseSelection(selection)
		if err != nil {
			t.Fatal(err)
		}
		if w := Racing(s, 0, &mpiapi.Func{Name: "MPI_Recv"}, sendersOf(1, 2)); w.Severity != want {
			t.Errorf("--check %q: %s, want %s", selection, w.Severity, want)
		}
	}
}

// sendersOf are senders of ranks that call the same function at a place that is not known.
func sendersOf(ranks ...int) (out []Sender) {
	for _, r := range ranks {
		out = append(out, Sender{Rank: r, Func: &mpiapi.Func{Name: "MPI_Send"}})
	}
	return out
}

func TestManySendersOfARaceAreToldInShort(t *testing.T) {
	var ranks []int
	for r := range 20 {
		ranks = append(ranks, r+1)
	}
	w := Racing(nil, 0, &mpiapi.Func{Name: "MPI_Recv"}, sendersOf(ranks...))
	if want := "ranks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more send one that fits"; !strings.Contains(w.Sentence, want) {
		t.Errorf("%q, want %q in it", w.Sentence, want)
	}
	if len(w.Notes) != 1 || !strings.HasSuffix(w.Notes[0], "8 more: MPI_Send") {
		t.Errorf("notes %q", w.Notes)
	}
}
