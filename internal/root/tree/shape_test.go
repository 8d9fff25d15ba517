package tree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestATreeHasEachMemberOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agents, fanIn := rapid.IntRange(1, 300).Draw(t, "agents"), rapid.IntRange(LeastFanIn, 20).Draw(t, "fan-in")
		s := NewShape(agents, fanIn)
		seen := make([]bool, s.Members())
		var walk func(id int)
		walk = func(id int) {
			from, to := s.Children(id)
			if to-from > fanIn {
				t.Fatalf("%d has %d below it", id, to-from)
			}
			for i := from; i < to; i++ {
				if seen[i] || s.Parent(i) != id || id != Root && s.Level(id) != s.Level(i)+1 {
					t.Fatalf("%d is below %d, its parent is %d", i, id, s.Parent(i))
				}
				seen[i] = true
				walk(i)
			}
			if id >= agents && s.First(id) != s.First(from) {
				t.Fatalf("the first agent below %d is %d", id, s.First(id))
			}
		}
		walk(Root)
		if slices.Contains(seen, false) {
			t.Fatalf("%v: somebody is below nobody", seen)
		}
	})
}

func TestFewAgentsNeedNoRelays(t *testing.T) {
	for agents, want := range map[int]int{1: 1, 16: 16, 17: 19, 256: 272, 257: 257 + 17 + 2} {
		if s := NewShape(agents, 0); s.Members() != want {
			t.Errorf("%d agents: %d members, want %d", agents, s.Members(), want)
		}
	}
}

// TestTheMembersBelowALostRelayGoOnWithTheOneAbove: both sides come to the same.
func TestTheMembersBelowALostRelayGoOnWithTheOneAbove(t *testing.T) {
	net := New[string](NewShape(8, 2), nil) // relays 8 to 11 above the agents, 12 and 13 above these
	if !net.Member(2).Lose(9) || !net.Member(2).Lose(12) || net.Member(4).Lose(9) {
		t.Error("relays 9 and 12 are above agent 2, and relay 9 is not above agent 4")
	}
	net.Member(12).Lose(9)
	if got := net.Member(12).Below(); !slices.Equal(got, []int{8, 2, 3}) {
		t.Errorf("below relay 12 are %v", got)
	}
	for _, id := range []int{8, 11, 13} { // the one above is lost last, and what it had below with it
		net.Member(3).Lose(id)
		net.Member(Root).Lose(id)
	}
	net.Member(13).Lose(5)
	net.Member(13).Lose(10)
	if got := net.Member(13).Below(); !slices.Equal(got, []int{11, 4}) {
		t.Errorf("agent 5 was lost before the relay above it, and below relay 13 are %v", got)
	}
	net.Member(Root).Lose(9)
	net.Member(Root).Lose(12)
	if got := net.Member(Root).Below(); !slices.Equal(got, []int{10, 6, 7, 0, 1, 2, 3}) {
		t.Errorf("below the root are %v", got)
	}
	net.Member(2).SendUp("a")
	if got := net.Member(Root).Take(nil); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the root has got %v", got)
	}
}
