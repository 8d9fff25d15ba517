package explain

import (
	"testing"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

func TestLostMessagesAreWordedFromData(t *testing.T) {
	for want, bytes := range map[string]int64{
		"The message from rank 2 to rank 0 with tag 7 is never received.":           -1,
		"The message from rank 2 to rank 0 with tag 7 (0 bytes) is never received.": 0,
		"The message from rank 2 to rank 0 with tag 7 (1 byte) is never received.":  1,
	} {
		f := Lost(&message.Lost{Src: 2, Dst: 0, Tag: 7, Bytes: bytes, Count: 5},
			finding.Place{Rank: 2, Call: "MPI_Isend"})
		if f.Sentence != want || f.Count != 5 || f.Ranks[0] != 2 || f.Places[0].Call != "MPI_Isend" {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}
