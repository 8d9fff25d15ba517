package exact

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"unknot/internal/oracle"
)

func refs(list []Ref) map[oracle.Name]bool {
	out := make(map[oracle.Name]bool)
	for _, r := range list {
		out[oracle.Name{Rank: int(r.Thread), N: int(r.Part)}] = true
	}
	return out
}

// execute makes a predicted schedule happen in the reference machine.
func execute(p *oracle.Program, d *Deadlock) error {
	m := oracle.NewMachine(p, nil)
	m.Lenient = true
	rigid := refs(slices.Concat(d.Unbuffered, d.Synchronising))
	matches, exits := d.Matches, make([][]Exit, len(p.Ranks))
	for _, e := range d.Exits {
		exits[e.Thread] = append(exits[e.Thread], e)
	}
	for {
		moved := false
		for _, v := range m.Moves() {
			r := v.Rank
			switch {
			case v.IsMatch:
				want := Match{Ref{uint32(v.Recv.Rank), uint32(v.Recv.N)}, Ref{uint32(v.Send.Rank), uint32(v.Send.N)}}
				if len(matches) == 0 || matches[0] != want {
					continue
				}
				matches = matches[1:]
			case v.Leaves:
				if k := p.Ranks[r][m.At[r]].Kind; k == oracle.Waitany || k == oracle.Waitsome {
					if len(m.Waits(r)) > 0 && (len(exits[r]) == 0 || int(exits[r][0].Op) != m.At[r] || !slices.EqualFunc(exits[r][0].Done, v.Done, func(a Ref, n int) bool { return int(a.Part) == n })) {
						continue
					}
					if len(exits[r]) > 0 && int(exits[r][0].Op) == m.At[r] {
						exits[r] = exits[r][1:]
					}
				}
			}
			first := 0
			if !v.IsMatch {
				first = len(m.Pieces[r])
			}
			m.Do(v)
			if !v.IsMatch {
				for n := first; n < len(m.Pieces[r]); n++ {
					if rigid[oracle.Name{Rank: r, N: n}] {
						m.Pieces[r][n].Free = false
					}
				}
			}
			moved = true
			break
		}
		if !moved {
			break
		}
	}
	if len(matches) > 0 {
		return fmt.Errorf("match %v is not legal where the schedule has it; ranks are at %v", matches[0], m.At)
	}
	if moves := m.Moves(); len(moves) > 0 {
		return fmt.Errorf("the schedule ends where rank %d can move: %+v", moves[0].Rank, moves[0])
	}
	var stuck []int
	for r, at := range m.At {
		if at < len(p.Ranks[r]) {
			stuck = append(stuck, r)
			if !slices.ContainsFunc(d.Stuck, func(x Stuck) bool { return int(x.Thread) == r && int(x.Op) == at }) {
				return fmt.Errorf("rank %d is stuck in call %d, which is not predicted: %v", r, at, d.Stuck)
			}
		}
	}
	if len(stuck) != len(d.Stuck) {
		return fmt.Errorf("stuck are %v, predicted %v", stuck, d.Stuck)
	}
	return nil
}

func TestTrial(t *testing.T) {
	inexact, dead, proofs, free := 0, 0, 0, 0
	var slow, slowMine time.Duration
	const N = 3000
	for seed := uint64(1); seed <= N; seed++ {
		p := oracle.Generate(seed)
		t0 := time.Now()
		stuck, exact := oracle.Stuck(p, oracle.Legal{States: 3000})
		t1 := time.Now()
		r, err := Predict(context.Background(), p.Log(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		slow += t1.Sub(t0)
		if t1.Sub(t0) > 300*time.Millisecond {
			t.Logf("seed %d: reference %v exact %v", seed, t1.Sub(t0), exact)
		}
		slowMine += time.Since(t1)
		if d := time.Since(t1); d > 200*time.Millisecond {
			t.Logf("seed %d: mine %v %+v", seed, d, r.Stats)
		}
		if !exact && len(stuck) == 0 {
			inexact++
			continue
		}
		if r.Verdict == Free && r.Stats.Method != MethodChain {
			free++
			if r.Stats.States == 0 {
				proofs++
			}
		}
		if len(stuck) > 0 {
			dead++
		}
		if (len(stuck) > 0) != (r.Verdict == Deadlocks) {
			at := "-"
			if len(stuck) > 0 {
				at = fmt.Sprint(stuck[0].At)
			}
			t.Fatalf("seed %d: reference %d stuck %s, got %v %+v\n%s", seed, len(stuck), at, r.Verdict, r, p)
		}
		for i := range r.Deadlocks {
			if err := execute(p, &r.Deadlocks[i]); err != nil {
				t.Fatalf("seed %d: %v\n%+v\n%s", seed, err, r.Deadlocks[i], p)
			}
		}
	}
	t.Logf("proofs %d free %d inexact %d dead %d ref %v mine %v", proofs, free, inexact, dead, slow, slowMine)
}
