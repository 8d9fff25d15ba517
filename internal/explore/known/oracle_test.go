package known

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"unknot/internal/test/testkit/oracle/branching"
	"unknot/internal/test/testkit/oracle/seeds"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/plan"
)

// explored is what came of an exploration by simulated runs.
type explored struct {
	free     bool
	why      string
	stuck    map[string]bool // deadlocks that a run showed
	tight    bool
	missed   []string // deadlocks and goals that no run could be brought to
	runs     int
	shown    int // runs after which the first deadlock was shown; 0 if none was
	contrary string
}

// libraries is how many libraries are asked to follow a plan. Each decides anew, with an even chance, which collectives
// synchronise.
const libraries = 20

func load(t *testing.T) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// explore goes through a program as an exploration without limits does, by runs of the reference.
func explore(table *mpi.T, p *branching.Program, seed uint64, most int) explored {
	rng := rand.New(rand.NewPCG(seed, 7))
	k := NewProgram(len(p.Ranks), table)
	out := explored{stuck: make(map[string]bool)}
	run := func(pl plan.Plan) branching.End {
		out.runs++
		l, end := p.Run(pl, rng)
		k.Learn(l, pl)
		if !end.Finished && !end.Left && end.Wrong == "" {
			out.stuck[end.Stuck.String()] = true
			if out.shown == 0 {
				out.shown = out.runs
			}
		}
		return end
	}
	// attempt makes a run that obeys a plan. Whether a collective synchronises is no part of a plan, but of the MPI
	// library: where one library cannot follow, others may.
	attempt := func(pl plan.Plan) (end branching.End) {
		for range libraries {
			if end = run(pl); !end.Left {
				break
			}
		}
		return end
	}
	run(plan.Plan{Ranks: len(p.Ranks)})
	failed, led := make(map[string]bool), make(map[string]bool)
	for out.runs < most {
		r := k.Search(context.Background(), Options{Failed: failed, States: 30000})
		for _, d := range r.Deadlocks {
			if led[d.Name] {
				continue
			}
			led[d.Name] = true
			if d.Tight {
				out.tight = true
			} else if end := attempt(d.Plan); end.Finished || end.Left || end.Wrong != "" {
				out.missed = append(out.missed, fmt.Sprintf("%s: %v", d.Name, end))
			}
		}
		if len(r.Goals) == 0 {
			out.why = r.Why
			out.free = r.Why == "" && len(r.Deadlocks) == 0 && r.Failed == 0 && k.Contrary() == "" &&
				len(k.Unmodelled()) == 0
			if len(k.Unmodelled()) > 0 {
				out.why += fmt.Sprint(k.Unmodelled())
			}
			break
		}
		for _, g := range r.Goals {
			if g.Known() || out.runs >= most {
				continue
			}
			if end := attempt(g.Plan); !g.Known() {
				failed[g.Name] = true
				out.missed = append(out.missed, fmt.Sprintf("rank %d: %v", g.Rank, end))
			}
		}
	}
	out.contrary = k.Contrary()
	return out
}

func TestClassics(t *testing.T) {
	table := load(t)
	for _, p := range branching.Classics() {
		t.Run(p.Name, func(t *testing.T) {
			all := p.All(200000)
			x := explore(table, p, 1, 2000)
			t.Logf("deadlock %v strict %v wrong %q, %d flows, exhaustive %v; here free %v (%s), %d stuck, tight %v, "+
				"missed %v, %d runs, %s", all.Deadlock,
				all.OnlyStrict, all.Wrong, len(all.Flows), all.Exhaustive, x.free, x.why, len(x.stuck), x.tight,
				x.missed, x.runs, x.contrary)
			judge(t, p, all, x)
		})
	}
}

// TestPatience has a rank poll more often than is followed before it gives up. That it may is said, and nothing is
// claimed.
func TestPatience(t *testing.T) {
	table := load(t)
	for seed := range uint64(20) {
		x := explore(table, branching.Impatient(9), seed, 2000)
		if x.free || !strings.Contains(x.why, "polls that report nothing more than 3 times in a row") ||
			x.contrary != "" {
			t.Errorf("seed %d: free %v (%s, %s)", seed, x.free, x.why, x.contrary)
		}
	}
}

// triedRuns is how many runs the default strategy makes (package explore).
const triedRuns = 200

// TestRandomPrograms holds explorations by simulated runs against the reference: nothing is called free that is not,
// nothing is found that is not there, every deadlock is; and so many of them after as many runs as are made by default.
func TestRandomPrograms(t *testing.T) {
	table := load(t)
	few := uint64(60)
	if testing.Short() {
		few = 20
	}
	from, to := seeds.Range(t, few, 20000)
	free, stuck, soon, left := 0, 0, 0, 0
	for seed := from; seed <= to; seed++ {
		p := branching.Generate(seed)
		all := p.All(10000)
		if all.Wrong != "" || !all.Exhaustive || len(all.Flows) > 200 {
			left++
			continue
		}
		x := explore(table, p, seed, 600)
		t.Logf("seed %d: deadlock %v, polls %v, %d flows, %d runs", seed, all.Deadlock, p.Polls, len(all.Flows), x.runs)
		if x.free {
			free++
		}
		if all.Deadlock {
			stuck++
			if x.shown > 0 && x.shown <= triedRuns {
				soon++
			} else {
				t.Logf("seed %d: first shown after %d of %d runs, %d flows", seed, x.shown, x.runs, len(all.Flows))
			}
		}
		ok := t.Run(fmt.Sprint(seed), func(t *testing.T) { judge(t, p, all, x) })
		if !ok {
			t.Logf("repeat with UNKNOT_SEED=%d", seed)
		}
	}
	t.Logf("%d called free, %d with deadlocks, %d of which were shown within %d runs, %d left out", free, stuck, soon,
		triedRuns, left)
	if from < to && 100*soon < 95*stuck {
		t.Errorf("%d of %d deadlocks were shown within %d runs, want 95 %%", soon, stuck, triedRuns)
	}
}

// judge holds an exploration against all behaviours.
func judge(t *testing.T, p *branching.Program, all branching.Behaviours, x explored) {
	t.Helper()
	if all.Wrong != "" || !all.Exhaustive {
		return
	}
	if x.free && (all.Deadlock || all.OnlyStrict) {
		t.Errorf("called free: %v\n%v", all.Deadlocks, p)
	}
	if x.contrary != "" {
		t.Errorf("%s\n%v", x.contrary, p)
	}
	for d := range x.stuck {
		if _, is := all.Deadlocks[d]; !is {
			t.Errorf("shows %s, which is none of %v\n%v", d, all.Deadlocks, p)
		}
	}
	// whether MPI_Cancel comes in time is not controlled, and said to be so
	if all.Deadlock && len(x.stuck) == 0 && !p.Cancels {
		t.Errorf("%v not found in %d runs (%s, missed %v)\n%v", all.Deadlocks, x.runs, x.why, x.missed, p)
	}
	if !all.Deadlock && !all.OnlyStrict && !x.free && x.why == "" && !p.Cancels &&
		!strings.Contains(p.String(), "while (") {
		t.Errorf("not called free: tight %v, missed %v\n%v", x.tight, x.missed, p)
	}
}
