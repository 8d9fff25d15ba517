package detect

import (
	"fmt"
	"testing"

	"unknot/internal/finding"
	"unknot/internal/tree"
)

// Words that differ in numbers and ranks only are one form.
func TestFormsOfSentences(t *testing.T) {
	same := [][2]string{
		{"Rank 0 calls MPI_Send with dest 7, but MPI_COMM_WORLD has 2 ranks (0 to 1).", "Rank 3 calls MPI_Send with dest 8, but MPI_COMM_WORLD has 1 rank (0 to 0)."},
		{"Ranks 0 and 1 wait for each other.", "Ranks 2-5, 7 and 9 wait for each other."},
		{"the buffer at 0x7f3ab1 is 4 bytes", "the buffer at 0x7fffc0de is 1 byte"},
	}
	for _, c := range same {
		if a, b := form(c[0]), form(c[1]); a != b {
			t.Errorf("%q and %q differ: %q, %q", c[0], c[1], a, b)
		}
	}
	if form("Rank 0 frees an active send.") == form("Rank 1 frees an active receive.") {
		t.Error("an active send is told as an active receive")
	}
}

func misuseOf(rank int, sentence string, severity finding.Severity) finding.Finding {
	return finding.Finding{Code: "x", Severity: severity, Standing: finding.Manifest, Sentence: sentence, Ranks: []int{rank},
		Places: []finding.Place{{Rank: rank, Call: "MPI_Send", Frame: finding.Frame{File: "a.c", Line: 1}}}}
}

// What ranks do alike at one line is one finding, for which the lowest rank speaks; severities are never mixed; and a mistake in ever
// new words does not become ever new findings.
func TestOneCauseIsOneFinding(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 64, Options{}, nil)
	r.tell(misuseOf(3, "Rank 3 sends 5.", finding.Error))
	r.tell(misuseOf(1, "Rank 1 sends 6.", finding.Error))
	r.tell(misuseOf(2, "Rank 2 sends 7.", finding.Info))
	if len(r.order) != 2 || r.order[0].Sentence != "Rank 1 sends 6." || fmt.Sprint(r.order[0].Ranks) != "[1 3]" || r.order[0].Count != 2 {
		t.Errorf("%d findings, the first %+v", len(r.order), r.order[0].Finding)
	}
	for i := range 40 {
		r.tell(misuseOf(4+i, "Rank 4 sends "+string(rune('a'+i))+".", finding.Warning))
	}
	if len(r.order) != 2+maxForms {
		t.Errorf("%d findings, want %d", len(r.order), 2+maxForms)
	}
}
