//go:build !quick

package branching

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/plan"
)

const states = 50000

// produced makes random runs of a program until they have shown all that All knows, most at most, and returns what was
// not shown. A run that All does not know is an error.
func produced(p *Program, b Behaviours, seed uint64, most int) (missing []string, err error) {
	flows, hangs := make(map[string]bool), make(map[string]bool)
	ends := false
	for n := range uint64(most) {
		log, end := p.Run(plan.Plan{Ranks: len(p.Ranks)}, rand.New(rand.NewPCG(seed, n)))
		flow := FlowOf(log)
		switch {
		case end.Wrong != "" || end.Left:
			return nil, fmt.Errorf("run %d: %s", n, end)
		case b.AllFlows && !b.Flows[flow]:
			return nil, fmt.Errorf("run %d (%s) has a flow that is not known:\n%s", n, end, flow)
		case end.Finished:
			ends = true
		default:
			name := end.Stuck.String()
			if _, known := b.Deadlocks[name]; !known {
				return nil, fmt.Errorf("run %d has a deadlock that is not known: %s", n, name)
			}
			hangs[name] = true
		}
		flows[flow] = true
		if len(hangs) == len(b.Deadlocks) && (!b.AllFlows || len(flows) == len(b.Flows)) && ends == b.Ends {
			return nil, nil
		}
	}
	for name := range b.Deadlocks {
		if !hangs[name] {
			missing = append(missing, "deadlock "+name)
		}
	}
	for flow := range b.Flows {
		if !flows[flow] {
			missing = append(missing, "flow\n"+flow)
		}
	}
	return missing, nil
}

// TestClassicsDoWhatTheyAreKnownFor holds all behaviours of well-known programs to what their authors say of them, and
// random runs to all behaviours.
func TestClassicsDoWhatTheyAreKnownFor(t *testing.T) {
	const never, may, strictly, always = "never", "may", "strictly", "always"
	want := map[string]struct {
		hangs     string
		deadlocks int
	}{
		"pull master": {never, 0}, "first answer": {may, 1}, "probe then any": {may, 4}, "probe then named": {never, 0},
		"wait second first": {may, 1}, "poll loop": {may, 2}, "head to head": {may, 1},
		"broadcast across": {strictly, 1},
		"which first":      {may, 1}, "impatient": {may, 1}, "called off": {may, 1}, "courier": {may, 2},
		"some at once":  {may, 2},
		"matched probe": {never, 0}, "persistent": {always, 2},
	}
	for _, p := range Classics() {
		b := p.All(states)
		hangs := never
		switch {
		case b.Wrong != "" || !b.Exhaustive || !b.AllFlows:
			t.Errorf("%s: wrong %q, exhaustive %v, all flows %v", p.Name, b.Wrong, b.Exhaustive, b.AllFlows)
		case b.OnlyStrict:
			hangs = strictly
		case b.Deadlock && b.Ends:
			hangs = may
		case b.Deadlock:
			hangs = always
		}
		if w := want[p.Name]; hangs != w.hangs || len(b.Deadlocks) != w.deadlocks {
			t.Errorf("%s hangs %s in %d ways, want %s in %d: %v", p.Name, hangs, len(b.Deadlocks), w.hangs,
				w.deadlocks, b.Deadlocks)
		}
		missing, err := produced(p, b, 1, 3000)
		if err != nil || len(missing) > 0 {
			t.Errorf("%s: %v, missing %q\n%s", p.Name, err, missing, p)
		}
	}
}

// TestAcceptsWhatRunsDo has logs of random runs followed by the program that made them, and by others.
func TestAcceptsWhatRunsDo(t *testing.T) {
	all := Classics()
	for i, p := range all {
		for n := range uint64(10) {
			log, _ := p.Run(plan.Plan{}, rand.New(rand.NewPCG(n, 3)))
			if err := p.Accepts(log, states); err != nil {
				t.Fatalf("%s, run %d: %v", p.Name, n, err)
			}
			other := all[(i+1)%len(all)]
			if other.Name != p.Name && other.Accepts(log, states) == nil {
				t.Errorf("%s accepts a run of %s", other.Name, p.Name)
			}
		}
	}
}

// TestRunsAndAllBehavioursAgree holds random runs of random programs to all behaviours: each run is one of them, and
// where there are few, each of them is run.
func TestRunsAndAllBehavioursAgree(t *testing.T) {
	ForEach(t, 25, func(p *Program, seed uint64) error {
		b := p.All(states)
		if b.Wrong != "" || !b.Exhaustive || !b.AllFlows {
			return fmt.Errorf("wrong %q, exhaustive %v, all flows %v", b.Wrong, b.Exhaustive, b.AllFlows)
		}
		most := 100
		if len(b.Flows)+len(b.Deadlocks) < 6 {
			most = 4000
		}
		missing, err := produced(p, b, seed, most)
		if err == nil && most > 100 && len(missing) > 0 {
			return fmt.Errorf("not run: %q", missing)
		}
		return err
	})
}

// TestProgramsAreOfAllKinds keeps the generator from making programs that prove nothing.
func TestProgramsAreOfAllKinds(t *testing.T) {
	count := make(map[string]int)
	const programs = 150
	for seed := uint64(1); seed <= programs; seed++ {
		p := Generate(seed)
		x := newExploration(&machine{code: compile(p)}, states)
		x.run()
		weak, strict := len(x.hangs(false)) > 0, len(x.hangs(true)) > 0
		ends := slices.ContainsFunc(x.nodes, func(n *node) bool { return n.done })
		text := p.String()
		for what, is := range map[string]bool{"hangs": weak, "never hangs": !strict, "hangs strictly": strict && !weak,
			"may end": ends, "hangs or ends": weak && ends, "polls": p.Polls, "cancels": p.Cancels,
			"branches": strings.Contains(text, "if ("), "communicators": len(p.Comms) > 1,
			"large": strings.Contains(text, fmt.Sprint(large))} {
			count[what] += bit(is)
		}
		for _, w := range []string{"Ssend", "Bsend", "Rsend", "Isend", "Send_init", "Recv_init", "Irecv", "Sendrecv",
			"ANY_SOURCE", "ANY_TAG", "Iprobe", "Probe",
			"Mprobe", "Improbe", "Waitall", "Waitany", "Waitsome", "MPI_Test(", "Testall", "Testany", "Testsome",
			"Barrier", "Ibarrier", "Bcast", "Ibcast", "MPI_Reduce",
			"Allreduce"} {
			count[w] += bit(strings.Contains(text, w))
		}
	}
	for what, n := range count {
		if n < programs/50 {
			t.Errorf("%q in %d of %d programs, want at least %d", what, n, programs, programs/50)
		}
	}
	t.Log(count)
}

func TestShrinkKeepsWhatFails(t *testing.T) {
	for seed := uint64(1); ; seed++ {
		p := Generate(seed)
		if !strings.Contains(p.String(), "Waitsome") {
			continue
		}
		small, err := Shrink(p, func(p *Program) error {
			if strings.Contains(p.String(), "Waitsome") {
				return fmt.Errorf("it waits for some")
			}
			return nil
		})
		calls := strings.Count(small.String(), "MPI_") - strings.Count(small.String(), "MPI_INT")
		if err == nil || calls != 1 {
			t.Errorf("%d calls are left: %v\n%s", calls, err, small)
		}
		return
	}
}
