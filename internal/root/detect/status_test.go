package detect

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestTheHostOfTheSlowestAgentIsNamed has two agents whose ranks wait for them, and one whose ranks do not.
func TestTheHostOfTheSlowestAgentIsNamed(t *testing.T) {
	var out bytes.Buffer
	hostOf := func(agent int) string { return fmt.Sprintf("node%d", agent+1) }
	r := New(encoded(t, 3).Member(tree.Root), proto.NewWriter(&out), 96,
		Options{HostOf: hostOf, Watched: func(agent int) op.Ranks {
			return op.RanksOf(op.Rank(agent), op.Rank(agent+10))
		}}, nil)
	r.now = time.Unix(1000, 0)
	for agent, held := range []int{2, 0, 5} {
		r.message(message.Progress{Agent: agent, Calls: 10, Held: held, Slowest: agent, Most: held})
	}
	r.status.due()
	m, err := proto.NewReader(&out).Receive()
	if err != nil {
		t.Fatal(err)
	}
	if m.Type != proto.Status || m.Calls != 30 || m.Held != 7 || m.Slowest != "node3" ||
		!slices.Equal(m.SlowestRanks, []int{2, 12}) {
		t.Errorf("%+v, want 7 ranks held up, most on node3, whose agent has ranks 2 and 12", m)
	}
}
