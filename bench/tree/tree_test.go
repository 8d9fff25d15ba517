package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestSimulatedDeadlocksAreFound: in jobs small and not so small, with relays and without, by one agent and many.
func TestSimulatedDeadlocksAreFound(t *testing.T) {
	words := map[string]string{
		"all receive from any rank": "wait for each other: each waits for a message from any rank, and none of " +
			"them sends one.",
		"each receives from its left": "wait for each other in a cycle: each receives before it sends.",
	}
	for _, s := range []shape{{16, 16, 16, true}, {16, 2, 2, true}, {64, 4, 4, true}, {128, 4, 3, true}} {
		for _, x := range deadlocks() {
			d, err := deadlocked(s, x)
			if err != nil {
				t.Fatalf("%+v, %s: %v", s, x.name, err)
			}
			if len(d.findings) != 1 {
				t.Fatalf("%+v, %s: %d findings", s, x.name, len(d.findings))
			}
			f := &d.findings[0]
			want := "Ranks 0-" + count(s.size-1) + " " + words[x.name]
			if f.Code != finding.Deadlock || f.Sentence != want || len(f.Ranks) != s.size {
				t.Errorf("%+v: %s %q of %d ranks, want %q", s, f.Code, f.Sentence, len(f.Ranks), want)
			}
			var ranks []int
			for _, p := range f.Places {
				ranks = append(append(ranks, p.Rank), p.Alike...)
				if p.Call != "MPI_Recv" || p.File != "simulated.c" {
					t.Errorf("%+v: rank %d is in %s at %s", s, p.Rank, p.Call, p.File)
				}
			}
			slices.Sort(ranks)
			if len(slices.Compact(ranks)) != s.size {
				t.Errorf("%+v: places of %d ranks", s, len(ranks))
			}
		}
	}
}

// TestTheSimulatedExchangeIsFollowed: each agent follows the calls of its ranks, and sends what its neighbours need and
// no more, however large the job is.
func TestTheSimulatedExchangeIsFollowed(t *testing.T) {
	var bytes []float64
	for _, s := range []shape{{16, 4, 4, false}, {64, 4, 4, false}} {
		c, err := exchanged(s, 20)
		if err != nil {
			t.Fatal(err)
		}
		if want := uint64(s.size * (20*3 + 2)); c.calls != want {
			t.Errorf("%d ranks: %d calls, want %d", s.size, c.calls, want)
		}
		bytes = append(bytes, c.bytes)
	}
	if bytes[1] > 1.5*bytes[0] {
		t.Errorf("%.2f bytes an operation of 16 ranks, %.2f of 64", bytes[0], bytes[1])
	}
}

// TestWhatAnAgentGetsIsKeptWhole: one that gets the same reaches the state of the one in the job, and one that lacks a
// message does not.
func TestWhatAnAgentGetsIsKeptWhole(t *testing.T) {
	s := shape{32, 4, 4, true}
	x, err := exchanged(s, 20)
	if err != nil {
		t.Fatal(err)
	}
	c := x.course
	if cost, err := c.again(s); err != nil || cost <= 0 {
		t.Errorf("an operation costs an agent of its own %v: %v", cost, err)
	}
	for i := range c.turns {
		if len(c.turns[i].inbound) > 0 && c.turns[i].allowed > once {
			c.turns[i].inbound = nil
			break
		}
	}
	if _, err := c.again(s); err == nil {
		t.Error("an agent without some messages came to where the one in the job was")
	}
}

func TestTheSectionHasTablesAndCurves(t *testing.T) {
	out := filepath.Join(t.TempDir(), "R.md")
	if err := os.WriteFile(out, []byte("# Others\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := settings{exchanges: []int{16}, deadlocks: []int{16, 32}, perAgent: 8, perNode: 8, fanIn: 2,
		iterations: 10, out: out}
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(out)
	for _, want := range []string{"# Others\n", "## Large jobs\n", "| 16 | 2 |",
		"| 32 | each receives from its left |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document lacks %q:\n%s", want, text)
		}
	}
	for _, name := range curves {
		if svg, err := os.ReadFile(filepath.Join(filepath.Dir(out), name)); err != nil ||
			!strings.HasPrefix(string(svg), "<svg") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
