package screen

import (
	"math/rand/v2"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/vocab/op"
)

// contests makes a random program in which many sends compete for wildcard receives: rounds of messages to one rank,
// now and then parted by a collective, with the receives posted in any way, and a few calls moved.
func contests(seed uint64) *oracle.Program {
	rng := rand.New(rand.NewPCG(seed, 11))
	ranks := 2 + rng.IntN(4)
	p := &oracle.Program{Ranks: make([][]oracle.Call, ranks), Comms: [][]int{make([]int, ranks)}}
	for r := range ranks {
		p.Comms[0][r] = r
	}
	ids := make([]int, ranks)
	add := func(r int, c oracle.Call) int {
		c.ID = ids[r]
		ids[r]++
		p.Ranks[r] = append(p.Ranks[r], c)
		return c.ID
	}
	wave := 0
	waves := make([]oracle.Wave, 8)
	for i := range waves {
		waves[i] = oracle.Wave{Gather: oracle.Gather(rng.IntN(5)), Root: rng.IntN(ranks)}
	}
	p.Waves = [][]oracle.Wave{waves}
	for range 1 + rng.IntN(3) {
		hub := rng.IntN(ranks)
		var open []int
		tag, any := rng.IntN(2), rng.IntN(4) == 0
		for r := range ranks {
			if r == hub || rng.IntN(4) == 0 || len(p.Ranks[r]) > 9 {
				continue
			}
			send := oracle.Part{Send: true, Mode: op.SendMode(rng.IntN(5) % 3), Peer: hub, Tag: tag}
			if rng.IntN(3) == 0 {
				send.Mode = op.Standard
			}
			recv := oracle.Part{Peer: oracle.Any, Tag: tag}
			if any {
				recv.Tag = oracle.Any
			}
			if rng.IntN(8) == 0 {
				recv.Peer = r
			}
			if rng.IntN(4) == 0 {
				id := add(r, oracle.Call{Parts: []oracle.Part{send}, Nonblocking: true})
				add(r, oracle.Call{Kind: oracle.Waitall, Requests: []int{id}})
			} else {
				add(r, oracle.Call{Parts: []oracle.Part{send}})
			}
			if rng.IntN(10) == 0 {
				add(hub, oracle.Call{Kind: oracle.Probe, Parts: []oracle.Part{recv}})
			}
			if rng.IntN(3) == 0 {
				open = append(open, add(hub, oracle.Call{Parts: []oracle.Part{recv}, Nonblocking: true}))
				continue
			}
			add(hub, oracle.Call{Parts: []oracle.Part{recv}})
			if rng.IntN(4) == 0 {
				add(hub, oracle.Call{Parts: []oracle.Part{{Send: true, Peer: r, Tag: 5}}})
				add(r, oracle.Call{Parts: []oracle.Part{{Peer: hub, Tag: 5}}})
			}
		}
		if len(open) > 0 {
			add(hub, oracle.Call{Kind: oracle.Waitall + oracle.Kind(rng.IntN(5)%3), Requests: open})
		}
		if wave < len(waves) && rng.IntN(2) == 0 {
			for r := range ranks {
				add(r, oracle.Call{Kind: oracle.Collective})
			}
			wave++
		}
	}
	for range rng.IntN(3) {
		calls := p.Ranks[rng.IntN(ranks)]
		if len(calls) > 1 {
			i := rng.IntN(len(calls) - 1)
			calls[i], calls[i+1] = calls[i+1], calls[i]
		}
	}
	return p
}

// TestCertificatesHoldForContests is TestCertificatesHold on programs that are hard for it.
func TestCertificatesHoldForContests(t *testing.T) {
	programs := uint64(400)
	if testkit.Nightly() {
		programs = 20000
	}
	var certified, contested, inexact, right int
	for seed := range programs {
		p := contests(seed)
		l := logOf(p, nil)
		if seed%2 == 0 {
			_, _, end := oracle.Run(p, seed)
			l = logOf(p, end.Machine)
		}
		r := Log(l)
		stuck, exact, err := held(p, r, seed, 10)
		if err != nil {
			small, why := oracle.Shrink(p, func(p *oracle.Program) error {
				_, _, err := held(p, Log(logOf(p, nil)), seed, 200)
				return err
			})
			t.Fatalf("seed %d: %v\n%s\nsmaller: %v\n%s", seed, err, p, why, small)
		}
		switch {
		case !exact:
			inexact++
		case r.Certificate():
			certified++
		default:
			contested++
			if stuck {
				right++
			}
		}
	}
	t.Logf("%d programs: %d certified, %d flagged, of which %d block without buffering; %d too large for the reference",
		programs, certified, contested, right, inexact)
	if 50*inexact > int(programs) || 5*certified < int(programs) || 5*contested < int(programs) {
		t.Error("the programs prove too little")
	}
}
