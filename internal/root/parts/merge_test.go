package parts

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"unknot/internal/agent/proto"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// merged is what is said of some parts: the findings, and all notes with why the run is not whole.
func merged(t *testing.T, list ...*Part) (findings []finding.Finding, rest string) {
	synctest.Test(t, func(t *testing.T) {
		said, err := Merge(&Set{Parts: list}, table(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said {
			switch m.Type {
			case proto.Found:
				findings = append(findings, *m.Finding)
			case proto.Note:
				rest += m.Text + "\n"
			case proto.Done:
				rest += m.Why
			}
		}
	})
	return findings, rest
}

// TestPartsOfReceiversThatWaitForEachOtherAreADeadlock merges the parts of two hosts, each with a rank in a receive
// from the other's. What one may have sent before makes it uncertain, unless it is known to have arrived or has another
// tag.
func TestPartsOfReceiversThatWaitForEachOtherAreADeadlock(t *testing.T) {
	sent := func(s *Share, tag int32, n int) {
		s.Ledger.Counted.Sent = append(s.Ledger.Counted.Sent,
			waitstate.Tally{Channel: waitstate.Channel{Src: 0, Dst: 1, Ctx: 1, Tag: tag}, Count: n})
	}
	known := func(s *Share, tag int32, n int) {
		s.Ledger.Counted.Known = append(s.Ledger.Counted.Known,
			waitstate.Tally{Channel: waitstate.Channel{Src: 0, Dst: 1, Ctx: 1, Tag: tag}, Count: n})
	}
	for _, c := range []struct {
		name    string
		change  func(a, b *Share)
		certain bool
		says    string
	}{
		{"nothing was sent", func(a, b *Share) {}, true, ""},
		{"what was sent has arrived", func(a, b *Share) { sent(a, 7, 3); known(b, 7, 3) }, true, ""},
		{"a message is on its way", func(a, b *Share) { sent(a, 7, 3); known(b, 7, 2) }, false,
			"rank 1 was stuck for good is not certain: what it waited for may have been on its way"},
		{"one of another tag is", func(a, b *Share) { sent(a, 7, 2); sent(a, 8, 1); known(b, 7, 2) }, true, ""},
		{"one of an unknown tag is", func(a, b *Share) { sent(a, 7, 2); sent(a, op.AnyTag, 1); known(b, 7, 2) }, false,
			"on its way"},
		{"not all was counted", func(a, b *Share) { b.Ledger.Counted.Lossy = true }, false, "on its way"},
		{"one was there for a moment", func(a, b *Share) { a.Ledger.Spans[0].For = 1 }, false,
			"rank 0 was stuck for good is not certain: it had not been in its call for long enough"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := receiver(0, 1, 7), receiver(1, 0, 7)
			c.change(a, b)
			findings, rest := merged(t, partOf(1, a), partOf(2, b))
			if c.certain != (len(findings) == 1) || !strings.Contains(rest, c.says) {
				t.Fatalf("%+v\n%s", findings, rest)
			}
			if c.certain && (findings[0].Code != finding.Deadlock || findings[0].Places[1].Line != 11) {
				t.Errorf("%+v", findings[0])
			}
			if c.certain == strings.Contains(rest, "not certain") ||
				!strings.Contains(rest, "rank 0 last in MPI_Recv at main (a.c:10)") {
				t.Errorf("%s", rest)
			}
		})
	}
}

// TestPartsHaveWhatTheirRanksCalledLast joins a message between ranks of two hosts.
func TestPartsHaveWhatTheirRanksCalledLast(t *testing.T) {
	a, b := receiver(0, 1, 7), receiver(1, 0, 7)
	left := func(rank op.Rank, call string, met ...message.Matched) message.Left {
		return message.Left{History: []message.History{{Kept: 9, Calls: []finding.PastCall{{Call: call}},
			Tracks: []message.Track{{Rank: rank, Steps: []message.Step{{Matches: true, TS: 1}}, Matched: met}}}}}
	}
	a.Left, b.Left = left(0, "MPI_Send"), left(1, "MPI_Recv", message.Matched{Rank: 0, TS: 1})
	synctest.Test(t, func(t *testing.T) {
		said, err := Merge(&Set{Parts: []*Part{partOf(1, a), partOf(2, b)}}, table(t))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(said, func(m proto.Message) bool { return m.Type == proto.History })
		if i < 0 || len(said[i].History.Threads) != 2 || len(said[i].History.Messages) != 1 ||
			said[i].History.Messages[0] != [4]int{0, 0, 1, 0} {
			t.Errorf("%+v", said)
		}
	})
}

func TestAMissingPartLeavesItOpen(t *testing.T) {
	findings, rest := merged(t, partOf(1, receiver(0, 1, 7)))
	if len(findings) > 0 {
		t.Errorf("%+v", findings)
	}
	for _, want := range []string{"rank 1 not observed: the part of host node2 is missing",
		"whether rank 0 was stuck for good is not certain: it waited for ranks that were not observed"} {
		if !strings.Contains(rest, want) {
			t.Errorf("no %q in\n%s", want, rest)
		}
	}
}

// TestACollectiveIsWaitedForByThoseWhoHaveNotPassedIt has a rank in the third collective of a communicator, of which
// the other, in a receive, has called two, or three.
func TestACollectiveIsWaitedForByThoseWhoHaveNotPassedIt(t *testing.T) {
	for called, deadlocks := range map[uint64]int{2: 1, 3: 0} {
		a, b := receiver(0, 1, 7), receiver(1, 0, 7)
		need := &a.State.Threads[0].Wait.Real.Needs[0]
		*need = waitstate.Need{Kind: waitstate.NeedMembers, Ctx: 1, Seq: 2, Sync: op.SyncAll,
			Root: op.AnySource, Index: -1}
		a.State.Waves = []message.Wave{{Ctx: 1, Seq: 2, Arrived: op.Between(0, 0),
			Voices: []waitstate.Voice{{Ranks: op.Between(0, 0), Origin: &waitstate.Origin{Rank: 0, TS: 3}}}}}
		a.Ledger.Counted.Arrivals = []waitstate.Arrival{{Rank: 0, Ctx: 1, Seq: 3}}
		b.Ledger.Counted.Arrivals = []waitstate.Arrival{{Rank: 1, Ctx: 1, Seq: called}}
		if findings, rest := merged(t, partOf(1, a), partOf(2, b)); len(findings) != deadlocks {
			t.Errorf("the other has called %d: %+v\n%s", called, findings, rest)
		}
	}
}
