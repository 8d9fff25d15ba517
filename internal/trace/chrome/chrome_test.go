package chrome

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// message is a send of one rank and its receive by another, both blocking.
type message struct{ from, to op.Rank }

// run makes the log of ranks that exchange messages in an order, with a barrier at the end that rank 0 does not leave.
func run(ranks int, messages []message) *trace.Log {
	log := &trace.Log{Head: trace.Head{Ranks: ranks}, Funcs: []string{"MPI_Send", "MPI_Recv", "MPI_Barrier"},
		Comms: []trace.Comm{{ID: 1, Name: "MPI_COMM_WORLD"}}, Sites: []trace.Site{{}}}
	for r := range ranks {
		log.Threads = append(log.Threads, trace.Thread{Rank: op.Rank(r)})
	}
	call := func(r op.Rank, fn uint16, returned bool, p trace.Part) {
		t := &log.Threads[r]
		p.MatchedTag = p.Tag
		t.Ops = append(t.Ops, trace.Op{Fn: fn, Blocking: true, Returned: returned, First: uint32(len(t.Parts)),
			Started: 1,
			WaitAt:  uint32(len(t.Waits)), Waiting: 1})
		t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: uint32(len(t.Parts)), Done: returned})
		t.Parts = append(t.Parts, p)
	}
	for _, m := range messages {
		call(m.from, 0, true, trace.Part{Kind: op.Send, Peer: m.to, Matched: op.Unknown})
		call(m.to, 1, true, trace.Part{Kind: op.Recv, Peer: m.from, Matched: m.from})
	}
	for r := range ranks {
		call(op.Rank(r), 2, r > 0, trace.Part{Kind: op.Coll, Sync: op.SyncAll, Peer: op.AnySource, Matched: op.Unknown})
	}
	return log
}

// Every arrow goes forward, the calls of a rank follow each other, and there is an arrow for each message.
func TestArrowsGoForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.IntRange(2, 5).Draw(t, "ranks")
		var messages []message
		for range rapid.IntRange(0, 20).Draw(t, "messages") {
			from := rapid.IntRange(0, ranks-1).Draw(t, "from")
			to := (from + rapid.IntRange(1, ranks-1).Draw(t, "to")) % ranks
			messages = append(messages, message{op.Rank(from), op.Rank(to)})
		}
		var b bytes.Buffer
		if err := Write(&b, run(ranks, messages)); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Events []event `json:"traceEvents"`
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		begun, arrows, open := map[int]int64{}, map[int]int64{}, 0
		last := map[int]int64{}
		for _, e := range doc.Events {
			switch e.Phase {
			case "X":
				if e.Time < last[e.PID] {
					t.Fatalf("rank %d: a call at %d before the end of the last, %d", e.PID, e.Time, last[e.PID])
				}
				last[e.PID] = e.Time + e.Dur
				if e.Args["returned"] == false {
					open++
				}
			case "s":
				begun[e.ID] = e.Time
			case "f":
				arrows[e.ID] = e.Time
				if e.Time < begun[e.ID] {
					t.Fatalf("an arrow from %d to %d", begun[e.ID], e.Time)
				}
			}
		}
		if len(arrows) != len(messages) || open != 1 {
			t.Fatalf("%d arrows for %d messages, %d calls that did not return", len(arrows), len(messages), open)
		}
	})
}

// A log that lacks what its calls met, as of a run that was killed, is drawn all the same.
func TestACutLogIsDrawn(t *testing.T) {
	log := run(2, []message{{0, 1}, {1, 0}})
	t0 := &log.Threads[0]
	t0.Ops, t0.Parts, t0.Waits = nil, nil, nil
	var b bytes.Buffer
	if err := Write(&b, log); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b.Bytes(), []byte(`"ph":"X"`)); n != 3 {
		t.Errorf("%d calls are drawn, want 3", n)
	}
}
