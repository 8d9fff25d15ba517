package exact

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// mixed is a program that fits together: messages between random ranks, received in a random window, some from anybody.
func mixed(seed uint64, ranks, steps int, wild, mistakes int) *trace.Log {
	g := rand.New(rand.NewPCG(seed, 9))
	s := newScript(ranks)
	open := make([][]uint32, ranks)
	for range steps {
		switch g.IntN(12) {
		case 0:
			for r := range ranks {
				if len(open[r]) > 0 {
					s.wait(r, open[r]...)
					open[r] = nil
				}
			}
			s.coll(0, trace.SyncAll, any, all(ranks)...)
		default:
			a := g.IntN(ranks)
			b := (a + 1 + g.IntN(ranks-1)) % ranks
			tag := int32(g.IntN(2))
			from, rtag := a, tag
			if g.IntN(100) < wild {
				from = any
			}
			if g.IntN(6) == 0 {
				rtag = int32(op.AnyTag)
			}
			if g.IntN(3) == 0 {
				open[a] = append(open[a], s.isend(a, b, tag))
			} else {
				s.send(a, b, tag)
			}
			if g.IntN(3) == 0 {
				open[b] = append(open[b], s.irecv(b, from, rtag))
			} else {
				s.recv(b, from, rtag)
			}
			s.met(b, a, tag)
		}
	}
	for r := range ranks {
		if len(open[r]) > 0 {
			s.wait(r, open[r]...)
		}
	}
	return s.log
}

func all(n int) (out []int) {
	for r := range n {
		out = append(out, r)
	}
	return out
}

func TestHardTrial(t *testing.T) {
	for _, c := range []struct{ ranks, steps, wild int }{{4, 40, 20}, {8, 60, 20}, {8, 120, 10}, {16, 200, 10}, {16, 200, 40}, {16, 1000, 5}, {64, 1000, 10}} {
		for _, b := range []Buffering{BufferNone, BufferAny, BufferAll} {
			n := map[Verdict]int{}
			var took [3]time.Duration
			var states [3]int
			for seed := range uint64(10) {
				t0 := time.Now()
				r, err := Predict(context.Background(), mixed(seed, c.ranks, c.steps, c.wild, 0), Options{Buffering: b, Max: 1, Budget: Budget{Time: time.Second}})
				if err != nil {
					t.Fatal(err)
				}
				n[r.Verdict]++
				took[r.Verdict] += time.Since(t0)
				states[r.Verdict] += r.Stats.States
			}
			t.Logf("%v buffering %v: undecided free deadlocks %d %d %d, took %v states %v", c, b, n[0], n[1], n[2], took, states)
		}
	}
}
