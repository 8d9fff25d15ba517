package windows

import (
	"fmt"
	"testing"
)

func do(rank int, manner Manner, target int) Step {
	return Step{Rank: rank, Act: Act{Manner: manner, Target: target, N: 1, Lent: -1}}
}

func adds(rank, target int, op string) Step {
	s := do(rank, Accumulate, target)
	s.Act.Op = op
	return s
}

// call is a step that is no act.
func call(kind Kind, rank, peer int) Step { return Step{Kind: kind, Rank: rank, Peer: peer} }

func excluding(rank, peer int) Step {
	return Step{Kind: Lock, Rank: rank, Peer: peer, Exclusive: true}
}

// TestOracleKnowsWhatOrdersTwoAccesses has rounds of three ranks, whose accesses are to the first cell of a part.
func TestOracleKnowsWhatOrdersTwoAccesses(t *testing.T) {
	barrier, fence := call(Barrier, Everyone, 0), call(Fence, Everyone, 0)
	noPrecede := Step{Kind: Fence, Rank: Everyone, Assert: noPrecede}
	post, start := Step{Kind: Post, Rank: 0, Group: []int{1}}, Step{Kind: Start, Rank: 1, Group: []int{0}}
	lent := do(0, Put, 2)
	lent.Act.Lent = 0
	for _, c := range []struct {
		name  string
		style Style
		steps []Step
		want  string // the pairs of steps; with ? if it may be none
	}{
		{"two puts of an epoch", Fences, []Step{fence, do(1, Put, 0), do(2, Put, 0), fence}, "1-2"},
		{"puts of two epochs", Fences, []Step{fence, do(1, Put, 0), fence, do(2, Put, 0), fence}, ""},
		{"two that read", Fences, []Step{fence, do(1, Get, 0), do(0, Load, 0), fence}, ""},
		{"accumulates with one operator", Fences, []Step{fence, adds(1, 0, "SUM"), adds(2, 0, "SUM"), fence}, ""},
		{"accumulates with two", Fences, []Step{fence, adds(1, 0, "SUM"), adds(2, 0, "MAX"), fence}, "1-2"},
		{"accumulates of one rank", Fences, []Step{fence, adds(1, 0, "SUM"), adds(1, 0, "MAX"), fence}, "1-2?"},
		{"a store, a barrier, a put", Fences, []Step{fence, do(0, Store, 0), barrier, do(1, Put, 0), fence}, ""},
		{"a put, a barrier, a store", Fences, []Step{fence, do(1, Put, 0), barrier, do(0, Store, 0), fence}, "1-3"},
		{"a store, a word to another rank", Fences, []Step{fence, do(0, Store, 0), call(Message, 0, 2), do(1, Put, 0),
			fence}, "1-3"},
		{"a store, word by way of another rank", Fences, []Step{fence, do(0, Store, 0), call(Message, 0, 2),
			call(Message, 2, 1), do(1, Put, 0), fence}, ""},
		{"a store of the target before the first fence", Fences, []Step{do(0, Store, 0), noPrecede,
			do(1, Put, 0), fence}, ""},
		{"one of another rank, in shared memory", Fences, []Step{do(2, Store, 0), noPrecede, do(1, Put, 0), fence},
			"0-2"},
		{"a load before the wait", Posts, []Step{post, start, do(1, Put, 0), call(Complete, 1, 0), call(Message, 1, 0),
			do(0, Load, 0), call(Wait, 0, 0)}, "2-5"},
		{"a load behind it", Posts, []Step{post, start, do(1, Put, 0), call(Complete, 1, 0), call(Wait, 0, 0),
			do(0, Load, 0)}, ""},
		{"a get that is complete, word, a store", Posts, []Step{post, start, do(1, Get, 0), call(Complete, 1, 0),
			call(Message, 1, 0), do(0, Store, 0), call(Wait, 0, 0)}, ""},
		{"a store before the post", Posts, []Step{do(0, Store, 0), post, start, do(1, Put, 0), call(Complete, 1, 0),
			call(Wait, 0, 0)}, ""},
		{"a put, a flush, a barrier", Locks, []Step{call(Lock, 1, 0), do(1, Put, 0), call(Flush, 1, 0), barrier,
			do(0, Load, 0), call(Unlock, 1, 0)}, ""},
		{"a put, a local flush, a barrier", Locks, []Step{call(Lock, 1, 0), do(1, Put, 0), call(FlushLocal, 1, 0),
			barrier, do(0, Load, 0), call(Unlock, 1, 0)}, "1-4"},
		{"a get, a local flush, a barrier", Locks, []Step{call(Lock, 1, 0), do(1, Get, 0), call(FlushLocal, 1, 0),
			barrier, do(0, Store, 0), call(Unlock, 1, 0)}, ""},
		{"a put with a request, which is waited for", Locks, []Step{call(Lock, 1, 0), do(1, Rput, 0), barrier,
			do(0, Load, 0), call(Unlock, 1, 0)}, "1-3"},
		{"a get with a request", Locks, []Step{call(Lock, 1, 0), do(1, Rget, 0), barrier, do(0, Store, 0),
			call(Unlock, 1, 0)}, ""},
		{"a rank's own put and load", Locks, []Step{call(Lock, 0, 0), do(0, Put, 0), do(0, Load, 0),
			call(Unlock, 0, 0)}, "1-2"},
		{"memory that is lent until the unlock", Locks, []Step{call(Lock, 0, 2), lent, barrier, call(Lock, 1, 0),
			do(1, Put, 0), call(Unlock, 1, 0), call(Unlock, 0, 2)}, "1-4"},
		{"exclusive locks", Exclusives, []Step{excluding(1, 0), do(1, Put, 0), call(Unlock, 1, 0), excluding(2, 0),
			do(2, Put, 0), call(Unlock, 2, 0)}, ""},
		{"an exclusive lock, and an owner without one", Exclusives, []Step{excluding(1, 0), do(1, Put, 0),
			call(Unlock, 1, 0), do(0, Load, 0)}, "1-3"},
		{"an owner that may have waited for the lock", Exclusives, []Step{excluding(1, 0), do(1, Put, 0),
			call(Unlock, 1, 0), excluding(0, 0), call(Unlock, 0, 0), do(0, Load, 0)}, "1-5?"},
	} {
		p := Program{Ranks: 3, Rounds: []Round{{Flavour: Shared, Style: c.style, Cells: 1, Steps: c.steps}}}
		got := ""
		for _, x := range p.Conflicts(0) {
			got += fmt.Sprintf(" %d-%d", x.A, x.B)
			if x.May {
				got += "?"
			}
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q\n%s", c.name, got, c.want, &p.Rounds[0])
		}
	}
}

// TestProgramsHaveBothKindsOfRounds looks at the programs as data: of each style, many rounds have a conflict and many
// have none.
func TestProgramsHaveBothKindsOfRounds(t *testing.T) {
	with, without := make(map[Style]int), make(map[Style]int)
	for seed := range uint64(40) {
		p := Generate(seed)
		for n := range p.Rounds {
			if len(p.Conflicts(n)) > 0 {
				with[p.Rounds[n].Style]++
			} else {
				without[p.Rounds[n].Style]++
			}
		}
	}
	for style := Fences; style <= LockAll; style++ {
		if with[style] < 50 || without[style] < 50 {
			t.Errorf("%s: %d rounds have a conflict, %d have none", style, with[style], without[style])
		}
	}
}
