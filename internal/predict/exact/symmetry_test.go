package exact

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
)

// alike is a random program of ranks that all do the same, and of one that receives from them, from anybody or, if it
// may name them, from one of them.
func alike(seed uint64, names bool) *oracle.Program {
	g := rand.New(rand.NewPCG(seed, 3))
	ranks := 3 + g.IntN(2)
	p := &oracle.Program{Comms: [][]int{nil}, Waves: [][]oracle.Wave{{{Gather: oracle.Barrier}}},
		Ranks: make([][]oracle.Call, ranks)}
	for r := range ranks {
		p.Comms[0] = append(p.Comms[0], r)
	}
	var receives []oracle.Call
	id := 0
	for range 1 + g.IntN(3) {
		tag := g.IntN(2)
		call := oracle.Call{ID: id, Parts: []oracle.Part{{Send: true, Peer: 0, Tag: tag}}, Nonblocking: g.IntN(4) == 0}
		id++
		barrier := g.IntN(4) == 0
		for r := 1; r < ranks; r++ {
			p.Ranks[r] = append(p.Ranks[r], call)
			if barrier {
				p.Ranks[r] = append(p.Ranks[r], oracle.Call{ID: id, Kind: oracle.Collective})
			}
			if g.IntN(5) == 0 {
				tag = oracle.Any
			}
			from := oracle.Any
			if names && g.IntN(3) == 0 {
				from = r
			}
			receives = append(receives, oracle.Call{ID: r + 10*id, Parts: []oracle.Part{{Peer: from, Tag: tag}}})
		}
		if barrier {
			receives = append(receives, oracle.Call{ID: 100 + id, Kind: oracle.Collective})
		}
		id++
	}
	if g.IntN(2) == 0 {
		g.Shuffle(len(receives), func(i, j int) { receives[i], receives[j] = receives[j], receives[i] })
	}
	p.Ranks[0] = receives
	return p
}

// TestTwinsMayBeExchanged holds searches that take twins for the same from the first state on against the reference.
func TestTwinsMayBeExchanged(t *testing.T) {
	testkit.TakesLong(t)
	table := load(t)
	merged, dead, free := 0, 0, 0
	for seed := range uint64(120) {
		p := alike(seed, false)
		stuck, exact := oracle.Stuck(p, oracle.Legal{States: 600})
		if !exact && len(stuck) == 0 {
			continue
		}
		m, err := build(p.Log(), table, Options{Max: 1000, Budget: Budget{States: 100_000}})
		if err != nil {
			t.Fatal(err)
		}
		found := newHarvest(m)
		x := newSearch(context.Background(), m, time.Now().Add(time.Hour), nil, found)
		x.lenient, x.many = true, 0
		x.from(m.start())
		if found.dead != (len(stuck) > 0) {
			t.Fatalf("seed %d: stuck %v, want %v\n%s", seed, found.dead, len(stuck) > 0, p)
		}
		for i := range found.found {
			if err := execute(p, Options{}, &found.found[i]); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
		}
		switch {
		case !x.merged:
		case found.dead:
			merged, dead = merged+1, dead+1
		default:
			merged, free = merged+1, free+1
		}
	}
	if min(dead, free) < 8 {
		t.Errorf("of %d programs with twins %d are free and %d are not, want 8 of each", merged, free, dead)
	}
}

// TestPhasesAreCountedRight holds verdicts of programs with rounds of messages and barriers between, where proofs by
// counting tell the rounds apart, against the reference.
func TestPhasesAreCountedRight(t *testing.T) {
	testkit.TakesLong(t)
	programs := uint64(300)
	if testkit.Nightly() {
		programs = 20_000
	}
	counted, dead := 0, 0
	for seed := range programs {
		p := alike(seed, true)
		way := ways[seed%4]
		way.legal.States = 600
		stuck, exact := oracle.Stuck(p, way.legal)
		if !exact && len(stuck) == 0 {
			continue
		}
		r := predict(t, p.Log(), way.o)
		if (r.Verdict == Deadlocks) != (len(stuck) > 0) || r.Verdict == Undecided {
			t.Fatalf("seed %d, %+v: %v because %s, the reference has %d stuck states\n%s", seed, way.o, r.Verdict,
				r.Why, len(stuck), p)
		}
		if r.Verdict == Deadlocks {
			dead++
		}
		if r.Stats.Method == MethodProof {
			counted++
		}
	}
	if min(dead, counted) < int(programs)/10 {
		t.Errorf("of %d programs %d are decided by counting and %d block, want a tenth of each", programs,
			counted, dead)
	}
}
