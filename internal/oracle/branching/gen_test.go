package branching

import (
	"testing"
	"time"
)

func TestGen(t *testing.T) {
	n := 0
	dead, strict, ends, polls, cancels, nf := 0, 0, 0, 0, 0, 0
	st := 0
	fl := 0
	start := time.Now()
	for seed := uint64(1); seed <= 300; seed++ {
		p := Generate(seed)
		gen := time.Since(start)
		_ = gen
		b := p.All(20000)
		n++
		if b.Deadlock {
			dead++
		}
		if b.OnlyStrict {
			strict++
		}
		if b.Ends {
			ends++
		}
		if p.Polls {
			polls++
		}
		if p.Cancels {
			cancels++
		}
		if !b.AllFlows {
			nf++
		}
		st += b.States
		fl += len(b.Flows)
		if seed < 4 {
			t.Log(p)
		}
		missing, err := produced(p, b, seed, 400)
		if err != nil {
			t.Fatalf("seed %d %v\n%s", seed, err, p)
		}
		if len(missing) > 0 && len(b.Flows) < 10 {
			t.Logf("seed %d: missing %d of %d flows, %d deadlocks", seed, len(missing), len(b.Flows), len(b.Deadlocks))
		}
	}
	t.Log(n, "dead", dead, "strict", strict, "ends", ends, "polls", polls, "cancels", cancels, "noflows", nf, "states", st, "flows", fl, time.Since(start))
}
