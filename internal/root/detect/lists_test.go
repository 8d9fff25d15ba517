package detect

import (
	"testing"

	"unknot/internal/check/messages"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// TestMembersAreComparedOneByOneOnlyIfTheSumSaysSo: if what all give is not what all expect, the check is on, the
// members are not too many, and no more than so many collectives of the context were compared before.
func TestMembersAreComparedOneByOneOnlyIfTheSumSaysSo(t *testing.T) {
	on := map[finding.Code]bool{messages.UnevenData: true}
	for _, c := range []struct {
		name    string
		checks  map[finding.Code]bool
		balance waitstate.Balance
		size    int
		before  int
		want    bool
	}{
		{"uneven", on, waitstate.Balance{Sum: 1, Members: 2}, 2, 0, true},
		{"even", on, waitstate.Balance{Members: 2}, 2, 0, false},
		{"the sum is of some only", on, waitstate.Balance{Sum: 1, Members: 1}, 2, 0, false},
		{"the check is off", nil, waitstate.Balance{Sum: 1, Members: 2}, 2, 0, false},
		{"the last that is compared", on, waitstate.Balance{Sum: 1, Members: 2}, 2, maxUnbalanced - 1, true},
		{"one too many", on, waitstate.Balance{Sum: 1, Members: 2}, 2, maxUnbalanced, false},
		{"as many members as may be", on, waitstate.Balance{Sum: 1, Members: maxCompared}, maxCompared, 0, true},
		{"too many members", on, waitstate.Balance{Sum: 1, Members: maxCompared + 1}, maxCompared + 1, 0, false},
	} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{Checks: c.checks}, nil)
		k := waveKey{ctx: 7, seq: 1}
		if c.before > 0 {
			r.collectives.compared[k.ctx] = c.before
		}
		if got := r.collectives.unbalanced(k, &tally{balance: c.balance}, c.size); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		want := c.before
		if c.want {
			want++
		}
		if got := r.collectives.compared[k.ctx]; got != want {
			t.Errorf("%s: %d collectives were compared, want %d", c.name, got, want)
		}
	}
}

// TestListsAreComparedWhenAllAreThere: until then they are kept, and after that dropped.
func TestListsAreComparedWhenAllAreThere(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
	share := func(index int) *waitstate.Share {
		return &waitstate.Share{Blocks: &waitstate.Blocks{}, Origin: &waitstate.Origin{}, Index: index}
	}
	for index, left := range []int{1, 0} {
		r.message(message.WaitStates{Messages: []waitstate.Message{{Kind: waitstate.CollectiveShares, Ctx: 7,
			Gathered: waitstate.Gathered{Seq: 1, Size: 2, Shares: []*waitstate.Share{share(index)}}}}})
		if got := len(r.collectives.lists); got != left {
			t.Errorf("after %d lists %d collectives are kept, want %d", index+1, got, left)
		}
	}
}

// TestWhatARootAsksForBecauseOfAMessage: of a persistent collective, the call that made it as well.
func TestWhatARootAsksForBecauseOfAMessage(t *testing.T) {
	one, two := &waitstate.Origin{Rank: 1}, &waitstate.Origin{Rank: 2}
	l := Named(message.Clash{Clash: waitstate.Clash{Voices: []waitstate.Voice{{Origin: one}, {Origin: two, Init: one}},
		Ends: []*waitstate.Origin{two}}})
	if len(l.Calls) != 4 {
		t.Errorf("%d calls, want 4", len(l.Calls))
	}
	if l = Named(message.Progress{}); len(l.Calls) != 0 {
		t.Errorf("because of progress %d calls are asked for", len(l.Calls))
	}
}
