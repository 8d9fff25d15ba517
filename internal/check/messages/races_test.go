package messages

import (
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

func TestARaceIsAWarningOnlyIfItIsAskedForByName(t *testing.T) {
	for selection, want := range map[string]finding.Severity{
		"": finding.Info, "+all": finding.Info, "+messages": finding.Info, "+message-race": finding.Warning,
		"+message-races":                         finding.Warning,
		"+message-race,-message-races,+messages": finding.Info,
	} {
		s, err := check.ParseSelection(selection)
		if err != nil {
			t.Fatal(err)
		}
		if w := Racing(AsksForRaces(s), 0, &mpi.Func{Name: "MPI_Recv"}, sendersOf(1, 2), Apart{}); w.Severity != want {
			t.Errorf("--check %q: %s, want %s", selection, w.Severity, want)
		}
	}
}

// sendersOf are senders of ranks that call the same function at a place that is not known.
func sendersOf(ranks ...int) (out []Sender) {
	for _, r := range ranks {
		out = append(out, Sender{Rank: r, Func: &mpi.Func{Name: "MPI_Send"}})
	}
	return out
}

func TestManySendersOfARaceAreToldInShort(t *testing.T) {
	var ranks []int
	for r := range 20 {
		ranks = append(ranks, r+1)
	}
	w := Racing(false, 0, &mpi.Func{Name: "MPI_Recv"}, sendersOf(ranks...), Apart{})
	if want := "ranks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more send a matching one"; !strings.Contains(
		w.Sentence.Text, want) {
		t.Errorf("%q, want %q in it", w.Sentence.Text, want)
	}
	if len(w.Notes) != 1 || !strings.HasSuffix(w.Notes[0].String(), "8 more: MPI_Send") {
		t.Errorf("notes %q", w.Notes)
	}
}

func TestMessagesThatTheReceiverCannotDealWithAlikeAreAWarning(t *testing.T) {
	recv := &mpi.Func{Name: "MPI_Recv"}
	for d, want := range map[waitstate.Difference]finding.Severity{waitstate.NoDifference: finding.Info,
		waitstate.SizesDiffer: finding.Warning, waitstate.TagsDiffer: finding.Warning,
		waitstate.TooLong: finding.Warning, waitstate.Unfit: finding.Warning} {
		number, err := datatype.Predefined("MPI_INT", 4, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		one := Rival{Rank: 1, Content: datatype.Content{Type: number, Count: 1}}
		w := Racing(false, 0, recv, sendersOf(1, 2), Apart{Difference: d, One: one, Other: one, Room: one.Content})
		if w.Severity != want || (w.Hint != "") != (want == finding.Warning) {
			t.Errorf("difference %d: %s with the hint %q, want %s", d, w.Severity, w.Hint, want)
		}
	}
}
