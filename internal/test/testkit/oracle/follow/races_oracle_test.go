package follow_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/test/testkit/oracle/follow"
)

// TestRacesOfRandomProgramsHappen holds what is said of message races against all legal runs: the receive or probe
// meets each of the messages that are reported in one of them, and these are of several ranks. And races are found, of
// the receives that meet messages of several ranks a fifth at least: what may be known by ways that the model does not
// see is not reported.
func TestRacesOfRandomProgramsHappen(t *testing.T) {
	var found, open atomic.Int64
	oracle.ForEach(t, func(p *oracle.Program, seed uint64) error {
		if testing.Short() && seed%10 != 0 {
			return nil
		}
		told, all, err := heldRaces(p, seed)
		found.Add(int64(told))
		open.Add(int64(all))
		return err
	})
	t.Logf("%d of %d receives from any source that meet messages of several ranks were told of",
		found.Load(), open.Load())
	if os.Getenv("UNKNOT_SEED") == "" && !testing.Short() && 5*found.Load() < open.Load() {
		t.Errorf("%d of %d races found, want a fifth at least", found.Load(), open.Load())
	}
}

// TestRacesOfProgramsThatOnceFailed keeps what only a long search finds.
func TestRacesOfProgramsThatOnceFailed(t *testing.T) {
	for _, seed := range []uint64{
		25516, // the sender knew from a send of synchronous mode that the receive was over
	} {
		p := oracle.Generate(seed)
		if _, _, err := heldRaces(p, seed); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p)
		}
	}
}

// heldRaces holds the races of a run against all legal runs of its program; it returns how many were reported of how
// many there are.
func heldRaces(p *oracle.Program, seed uint64) (told, all int, err error) {
	pairs, exact := oracle.Meets(p, oracle.Legal{States: 1000})
	if !exact {
		return 0, 0, nil
	}
	trace, _, end := oracle.Run(p, seed)
	rng := rand.New(rand.NewPCG(seed, 5))
	events := trace.Shuffle(len(trace.Events), rng)
	races := follow.Races(p, events, 1, rng)
	for nodes := 1; nodes <= 3; nodes++ {
		some := follow.Races(p, events, nodes, rng)
		for i := range some {
			if err := happens(&some[i], end.Machine, pairs); err != nil {
				return 0, 0, fmt.Errorf("%d nodes: %w", nodes, err)
			}
		}
		if one, other := receives(races), receives(some); !slices.Equal(one, other) {
			return 0, 0, fmt.Errorf("one node tells of the receives %v, %d nodes of %v", one, nodes, other)
		}
	}
	return len(races), racing(end.Machine, pairs), nil
}

// receives are those that races are of, and what they could get.
func receives(races []waitstate.Race) (out []string) {
	for _, r := range races {
		text := fmt.Sprintf("%d of rank %d from", r.Recv.Site, r.Recv.Rank)
		for _, s := range r.Sends {
			text += fmt.Sprintf(" %d of rank %d", s.Site, s.Rank)
		}
		out = append(out, text)
	}
	return out
}

// happens says whether a race is one. Sites of a random program are the places of its calls.
func happens(r *waitstate.Race, end *oracle.Machine, pairs map[oracle.Pair]bool) error {
	ranks, pieces := make(map[int]bool), end.Pieces
	for _, s := range r.Sends {
		ranks[int(s.Rank)] = true
		if !meets(int(s.Rank), int(s.Site), int(r.Recv.Rank), int(r.Recv.Site), pieces, pairs) &&
			!hidden(int(s.Rank), int(s.Site), int(r.Recv.Rank), int(r.Recv.Site), end, pairs) {
			return fmt.Errorf("call %d of rank %d is said to get the message of call %d of rank %d, which no run does",
				r.Recv.Site, r.Recv.Rank, s.Site, s.Rank)
		}
	}
	if len(ranks) < 2 {
		return fmt.Errorf("call %d of rank %d is said to race for messages of %d rank", r.Recv.Site,
			r.Recv.Rank, len(ranks))
	}
	return nil
}

// meets says whether a message of one call meets a receive of another one in some run.
func meets(from, send, to, recv int, pieces [][]oracle.Piece, pairs map[oracle.Pair]bool) bool {
	for s := range pieces[from] {
		for r := range pieces[to] {
			if pieces[from][s].Call == send && pieces[to][r].Call == recv &&
				pairs[oracle.Pair{Send: oracle.Name{Rank: from, N: s}, Recv: oracle.Name{Rank: to, N: r}}] {
				return true
			}
		}
	}
	return false
}

// hidden says whether an earlier message of the same rank meets the receive in some run, but in this one was never
// received, or went to a request that the program did not wait for, or waited for together with others of which one was
// enough: the model may have gone on before it knew of that message. Then a later one of the rank is reported in its
// place.
func hidden(from, send, to, recv int, end *oracle.Machine, pairs map[oracle.Pair]bool) bool {
	for s := range end.Pieces[from] {
		e := &end.Pieces[from][s]
		if e.Role != oracle.Sender || e.Call >= send || !meets(from, e.Call, to, recv, end.Pieces, pairs) {
			continue
		}
		if e.Matched == nil {
			return true
		}
		r := &end.Pieces[e.Matched.Rank][e.Matched.N]
		if r.Request >= 0 && (!r.Over || slices.ContainsFunc(end.Prog.Ranks[e.Matched.Rank], func(c oracle.Call) bool {
			return (c.Kind == oracle.Waitany || c.Kind == oracle.Waitsome) && slices.Contains(c.Requests, r.Request)
		})) {
			return true
		}
	}
	return false
}

// racing counts the receives and probes from any source of a run that met a message, and meet those of another rank
// elsewhere.
func racing(end *oracle.Machine, pairs map[oracle.Pair]bool) (n int) {
	for r := range end.Pieces {
		for i := range end.Pieces[r] {
			e := &end.Pieces[r][i]
			if e.Matched == nil || e.Role == oracle.Sender || e.Role == oracle.Member || e.Peer != oracle.Any {
				continue
			}
			for pair := range pairs {
				if pair.Recv == (oracle.Name{Rank: r, N: i}) && pair.Send.Rank != e.Matched.Rank {
					n++
					break
				}
			}
		}
	}
	return n
}
