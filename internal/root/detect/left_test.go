package detect

import (
	"io"
	"testing"

	"unknot/internal/agent/proto"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestMessagesAreLostOnlyIfAllRanksHaveComeToTheEnd has the agents of two receivers know of messages that one call of a
// third rank has sent.
func TestMessagesAreLostOnlyIfAllRanksHaveComeToTheEnd(t *testing.T) {
	for _, c := range []struct {
		through  op.Ranks // of the second agent
		findings int
	}{
		{op.Between(1, 2), 1},
		{op.Between(2, 2), 0},
	} {
		r := New(encoded(t, 2).Member(tree.Root), proto.NewWriter(io.Discard), 3, Options{}, nil)
		r.askLeft()
		lost := func(to op.Rank, ts uint64) []message.Lost {
			return []message.Lost{{Send: &waitstate.Origin{Rank: 2, Site: 7, TS: ts}, Src: 2, Dst: to, Tag: 5,
				Bytes: 4, Count: 2}}
		}
		r.message(message.Left{Agent: 1, Round: r.round.number, Through: c.through, Lost: lost(1, 11)})
		r.message(message.Left{Agent: 0, Round: r.round.number, Through: op.Between(0, 0), Lost: lost(0, 10)})
		if c.findings == 0 {
			if r.round.step != resting || len(r.findings.order) != 0 {
				t.Errorf("with ranks that have not come to the end: step %d, %d findings", r.round.step,
					len(r.findings.order))
			}
			continue
		}
		r.message(message.Places{Agent: 1, Round: r.round.number,
			Places: []message.Described{{Place: finding.Place{Rank: 2, Call: "MPI_Send"}}}})
		r.message(message.Places{Agent: 0, Round: r.round.number})
		if r.round.step != resting || len(r.findings.order) != c.findings {
			t.Fatalf("step %d, %d findings, want %d", r.round.step, len(r.findings.order), c.findings)
		}
		f := r.findings.order[0]
		if want := "The message from rank 2 to rank 0 with tag 5 (4 bytes) is never received."; f.Sentence != want ||
			f.Count != 4 || f.Places[0].Call != "MPI_Send" {
			t.Errorf("%d times: %s, want 4 times: %s", f.Count, f.Sentence, want)
		}
	}
}
