package exact

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"unknot/internal/model/waitfor"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/vocab/op"
)

func refs(list []Ref) map[oracle.Name]bool {
	out := make(map[oracle.Name]bool)
	for _, r := range list {
		out[oracle.Name{Rank: int(r.Thread), N: int(r.Part)}] = true
	}
	return out
}

// execute makes a predicted schedule happen in the reference machine.
func execute(p *oracle.Program, o Options, d *Deadlock) error {
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
					if len(m.Waits(r)) > 0 && (len(exits[r]) == 0 || int(exits[r][0].Op) != m.At[r] ||
						!slices.EqualFunc(exits[r][0].Done, v.Done, func(a Ref, n int) bool {
							return int(a.Part) == n
						})) {
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
					x := &m.Pieces[r][n]
					if rigid[oracle.Name{Rank: r, N: n}] || o.Buffering == BufferNone && x.Role == oracle.Sender &&
						x.Mode == op.Standard ||
						o.Collectives == CollectStrict && x.Role == oracle.Member {
						x.Free = false
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

// cores gives the cores of what the reference found stuck, by the rule that a message may come from whoever is not
// finished and that a collective waits for all (for those it must, if it is weak).
func cores(p *oracle.Program, stuck []*oracle.Machine, weak bool) map[string]bool {
	out := make(map[string]bool)
	for _, m := range stuck {
		g := waitfor.New(len(p.Ranks))
		alive := func(ranks ...int) waitfor.Node {
			var nodes []waitfor.Node
			for _, r := range ranks {
				if m.At[r] < len(p.Ranks[r]) {
					nodes = append(nodes, waitfor.Node(r))
				}
			}
			return g.Any(nodes)
		}
		for r, at := range m.At {
			if at == len(p.Ranks[r]) {
				continue
			}
			var nodes []waitfor.Node
			for _, n := range m.Waits(r) {
				x := &m.Pieces[r][n]
				switch {
				case x.Role == oracle.Member:
					var all []waitfor.Node
					wave := p.Wave(x.Comm, x.Seq)
					for _, other := range p.Comms[x.Comm] {
						here := slices.ContainsFunc(m.Pieces[other], func(y oracle.Piece) bool {
							return y.Role == oracle.Member && y.Comm == x.Comm && y.Seq == x.Seq
						})
						needed := !weak || wave.Gather == oracle.Barrier || wave.Gather == oracle.Bcast &&
							other == wave.Root || wave.Gather == oracle.Reduce && r == wave.Root ||
							wave.Gather == oracle.Scan && other < r
						if needed && !here {
							all = append(all, alive(other))
						}
					}
					if len(all) > 0 {
						nodes = append(nodes, g.All(all))
					}
				case x.Matched != nil || x.Role == oracle.Sender && x.Free:
				case x.Peer == oracle.Any:
					others := slices.DeleteFunc(slices.Clone(p.Comms[x.Comm]), func(o int) bool { return o == r })
					nodes = append(nodes, alive(others...))
				default:
					nodes = append(nodes, alive(x.Peer))
				}
			}
			if k := p.Ranks[r][at].Kind; k == oracle.Waitany || k == oracle.Waitsome {
				g.BlockAny(waitfor.Node(r), nodes)
			} else {
				g.Block(waitfor.Node(r), nodes)
			}
		}
		for _, core := range g.Cores(0) {
			var name []string
			for _, t := range core {
				name = append(name, fmt.Sprintf("%d@%d", t, m.At[t]))
			}
			out[strings.Join(name, " ")] = true
		}
	}
	return out
}

// ways are restrictions of what MPI may do, for the reference and for the prediction.
var ways = []struct {
	legal oracle.Legal
	o     Options
}{
	{},
	{},
	{oracle.Legal{Synchronous: true}, Options{Buffering: BufferNone}},
	{oracle.Legal{Buffered: true}, Options{Buffering: BufferAll}},
	{oracle.Legal{Weak: true}, Options{Collectives: CollectWeak}},
	{oracle.Legal{Strict: true}, Options{Collectives: CollectStrict}},
	{oracle.Legal{Synchronous: true, Strict: true}, Options{Buffering: BufferNone, Collectives: CollectStrict}},
	{oracle.Legal{Buffered: true, Weak: true}, Options{Buffering: BufferAll, Collectives: CollectWeak}},
}

// TestAgreesWithTheReference holds verdicts against all runs of small random programs, under all that MPI allows and
// under restrictions, makes each predicted schedule happen in the reference machine, and compares the cores.
func TestAgreesWithTheReference(t *testing.T) {
	programs, states := uint64(2000), 1500
	if testkit.Nightly() {
		programs, states = 100_000, 20_000
	}
	table := load(t)
	var next atomic.Uint64
	var aside, free, dead, compared atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for seed := next.Add(1); seed <= programs && !t.Failed(); seed = next.Add(1) {
				p, way := oracle.Generate(seed), ways[seed%uint64(len(ways))]
				way.legal.States, way.o.Max = states, 10_000
				stuck, exact := oracle.Stuck(p, way.legal)
				r, err := Predict(context.Background(), p.Log(), table, way.o)
				switch {
				case err != nil:
					t.Errorf("seed %d: %v", seed, err)
				case !exact && len(stuck) == 0:
					aside.Add(1)
				case (len(stuck) > 0) != (r.Verdict == Deadlocks) || r.Verdict == Undecided:
					t.Errorf("seed %d, %+v: the reference has %d stuck states, predicted %v: %s\n%s", seed, way.o,
						len(stuck), r.Verdict, r.Why, p)
				case r.Verdict == Free:
					free.Add(1)
				default:
					dead.Add(1)
				}
				have := make(map[string]bool)
				for i := range r.Deadlocks {
					d := &r.Deadlocks[i]
					err := execute(p, way.o, d)
					if err == nil && seed%8 == 0 {
						err = verify(p.Log(), way.o, d)
					}
					if err != nil {
						t.Errorf("seed %d, %+v: %v\n%+v\n%s", seed, way.o, err, d, p)
					}
					var name []string
					for _, c := range d.Core {
						name = append(name,
							fmt.Sprintf("%d@%d", c,
								d.Stuck[slices.IndexFunc(d.Stuck, func(s Stuck) bool { return s.Thread == c })].Op))
					}
					have[strings.Join(name, " ")] = true
				}
				// Where MPI may buffer, the reference also has the states in which it kept what nobody misses, with
				// separate cores for every combination; of these the two extremes are reported.
				if want := cores(p, stuck, way.o.Collectives == CollectWeak); exact && r.Complete &&
					way.o.Collectives != CollectAny {
					compared.Add(1)
					told := true
					for core := range have {
						told = told && want[core]
					}
					if !told || way.o.Buffering != BufferAny && len(have) != len(want) {
						t.Errorf("seed %d, %+v: cores %v, want %v\n%s", seed, way.o, have, want, p)
					}
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d free, %d with deadlocks, %d set aside because the reference has too many states, %d compared by cores",
		free.Load(), dead.Load(), aside.Load(), compared.Load())
	if uint64(aside.Load())*50 > programs {
		t.Errorf("%d of %d programs were set aside, want at most 2 %%", aside.Load(), programs)
	}
	if min(free.Load(), dead.Load(), compared.Load()) < int64(programs)/10 {
		t.Errorf("the programs are too much alike: %d free, %d with deadlocks, %d compared by cores", free.Load(),
			dead.Load(), compared.Load())
	}
}
