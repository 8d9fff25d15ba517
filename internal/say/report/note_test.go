package report

import (
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestALabelOfANoteStandsInPlaceOfTheTerminals(t *testing.T) {
	run := &finding.Run{Schema: finding.Schema, Ranks: 12, Complete: true,
		Findings: []finding.Finding{{Code: finding.Deadlock, Severity: finding.Error,
			Standing: finding.Manifest, Sentence: "Rank 0 waits.", Ranks: []int{0}, Count: 1,
			Hint: "a label: this is none",
			Notes: []finding.Note{
				{Label: finding.NearestMiss, Text: "rank 1 sent rank 0 a message at main (ring.c:31), but with tag 5"},
				{Label: finding.SentBy + " rank 11", Text: "MPI_Send at main (ring.c:31)"},
				{Label: finding.SentBy + " ranks 1 and 2", Text: "MPI_Isend"},
				finding.Remark("sizes: 8 bytes"),
			}}}}
	var out strings.Builder
	if err := Terminal(&out, run, TerminalOptions{Width: 60}); err != nil {
		t.Fatal(err)
	}
	want := `
  nearest miss: rank 1 sent rank 0 a message at main
                (ring.c:31), but with tag 5
  sent by rank 11: MPI_Send at main (ring.c:31)
  note: sent by ranks 1 and 2: MPI_Isend
  note: sizes: 8 bytes
  hint: a label: this is none
`
	if !strings.Contains(out.String(), want) {
		t.Errorf("got %s\nwant %s", out.String(), want)
	}
}
