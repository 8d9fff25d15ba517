package report

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/vocab/finding"
)

// TestLogicalTimeIsThatOfTheLongestChain has the times of a small history by hand.
func TestLogicalTimeIsThatOfTheLongestChain(t *testing.T) {
	bars, end := clock(historyFixture().History)
	want := "[[[0 1] [1 2] [2 3]] [[0 1] [1 2] [2 3]] [[0 2] [2 3]] [[0 3]]] to 3"
	var got [][]string
	for i := range bars {
		var list []string
		for _, b := range bars[i] {
			list = append(list, fmt.Sprintf("[%d %d]", b.Start, b.End))
		}
		got = append(got, list)
	}
	if text := fmt.Sprintf("%v to %d", got, end); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestWhatCameBeforeIsNotDrawnLater has random histories of runs, in which calls are made in some order: the picture
// keeps to the order on each thread, to that of each message and to that of each collective, and no call ends before it
// begins.
func TestWhatCameBeforeIsNotDrawnLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := randomHistory(t)
		bars, end := clock(h)
		step := func(thread, n int) span {
			for _, b := range bars[thread] {
				if b.Step == n && b.Repeat == nil {
					return b.span
				}
			}
			t.Fatalf("thread %d has no bar for step %d", thread, n)
			return span{}
		}
		for i := range bars {
			last := 0
			for _, b := range bars[i] {
				if b.Start < last || b.End <= b.Start || b.End > end {
					t.Fatalf("thread %d: a bar from %d to %d after %d, of %d", i, b.Start, b.End, last, end)
				}
				last = b.End
			}
		}
		for _, m := range h.Messages {
			if sent, met := step(m[0], m[1]), step(m[2], m[3]); met.End <= sent.Start {
				t.Fatalf("the message %v is received at %d and sent at %d", m, met.End, sent.Start)
			}
		}
		for _, c := range h.Collectives {
			for _, a := range c.Members {
				for _, b := range c.Members {
					if step(a[0], a[1]).End <= step(b[0], b[1]).Start {
						t.Fatalf("collective %v: a member leaves before another enters", c.Members)
					}
				}
			}
		}
	})
}

// randomHistory is that of a run in which a call is made at a time.
func randomHistory(t *rapid.T) *finding.History {
	n := rapid.IntRange(1, 5).Draw(t, "threads")
	h := &finding.History{Kept: 9, Calls: []finding.PastCall{{Call: "MPI_Send"}}, Threads: make([]finding.Track, n)}
	add := func(i int) (at [2]int) {
		h.Threads[i].Rank = i
		h.Threads[i].Steps = append(h.Threads[i].Steps, 0)
		return [2]int{i, len(h.Threads[i].Steps) - 1}
	}
	var sent [][2]int
	for range rapid.IntRange(1, 40).Draw(t, "calls") {
		i := rapid.IntRange(0, n-1).Draw(t, "thread")
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case kind == 0:
			sent = append(sent, add(i))
		case kind == 1 && len(sent) > 0:
			from, to := sent[0], add(i)
			sent = sent[1:]
			h.Messages = append(h.Messages, [4]int{from[0], from[1], to[0], to[1]})
		case kind == 2:
			c := finding.Collective{Waits: "all"}
			for k := range n {
				c.Members = append(c.Members, add(k))
			}
			h.Collectives = append(h.Collectives, c)
		default:
			at := add(i)
			h.Threads[i].Repeats = append(h.Threads[i].Repeats, finding.Repeat{After: at[1], Times: 2, Calls: 4})
		}
	}
	return h
}

// TestACircleOfMessagesIsDrawnAllTheSame has a history as no run has it.
func TestACircleOfMessagesIsDrawnAllTheSame(t *testing.T) {
	h := &finding.History{Kept: 1, Calls: []finding.PastCall{{Call: "MPI_Send"}},
		Threads:  []finding.Track{{Rank: 0, Steps: []int{0, 0}}, {Rank: 1, Steps: []int{0, 0}}},
		Messages: [][4]int{{0, 1, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 0}}}
	bars, end := clock(h)
	if len(bars) != 2 || len(bars[0]) != 2 || end < 2 {
		t.Errorf("bars %v to %d", bars, end)
	}
}
