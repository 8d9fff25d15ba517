package sattest

import (
	"context"
	"slices"
	"testing"

	"unknot/internal/predict/exact"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
)

// tame changes a program into one of the fragment: without probes, and with all requests instead of any.
func tame(p *oracle.Program) *oracle.Program {
	for r := range p.Ranks {
		p.Ranks[r] = slices.DeleteFunc(p.Ranks[r], func(c oracle.Call) bool { return c.Kind == oracle.Probe })
		for i := range p.Ranks[r] {
			if c := &p.Ranks[r][i]; c.Kind == oracle.Waitany || c.Kind == oracle.Waitsome {
				c.Kind = oracle.Waitall
			}
		}
	}
	return p
}

func tableOf(t *testing.T) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// ask gives the answers of both to one question.
func ask(t *testing.T, table *mpi.T, l *trace.Log, b exact.Buffering, counts bool) (exact.Verdict,
	exact.Verdict, answer) {
	t.Helper()
	r, err := exact.Predict(context.Background(), l, table, options(b))
	if err != nil {
		t.Fatal(err)
	}
	a, err := decide(l, b, counts)
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict, a.verdict(), a
}

func TestBothAgreeOnRandomPrograms(t *testing.T) {
	var verdicts [3]int
	table, rounds := tableOf(t), 0
	for seed := range uint64(600) {
		l := tame(oracle.Generate(seed)).Log()
		if seed%2 == 1 {
			l = mixed(seed, 3+int(seed%3), 12, 0.5, seed%4 == 1)
		}
		for _, b := range []exact.Buffering{exact.BufferNone, exact.BufferAll} {
			for _, counts := range []bool{false, true} {
				want, got, a := ask(t, table, l, b, counts)
				if want != got {
					t.Errorf("seed %d, buffering %d, counts %v: search says %v, solver %v", seed, b, counts, want, got)
				}
				verdicts[want]++
				rounds += a.rounds - 1
			}
		}
	}
	t.Logf("%d free, %d with deadlocks; circles were forbidden %d times", verdicts[exact.Free],
		verdicts[exact.Deadlocks], rounds)
	if min(verdicts[exact.Free], verdicts[exact.Deadlocks]) < 300 || rounds < 20 {
		t.Error("the programs are too much alike")
	}
}

func TestBothAgreeOnTheProblemsThatAreMeasured(t *testing.T) {
	table := tableOf(t)
	for _, f := range families() {
		p := f.make(f.sizes[0])
		if f.slow {
			continue
		}
		for _, counts := range []bool{false, true} {
			if want, got, _ := ask(t, table, p.log, p.buffering, counts); want != got || want != f.want {
				t.Errorf("%s-%d, counts %v: search says %v, solver %v, want %v", f.name, f.sizes[0], counts,
					want, got, f.want)
			}
		}
	}
}

// TestAReceiveWaitsForTheOneBeforeIt has a message that a second receive could take only after the first has met, which
// would have to meet what is sent because of the second.
func TestAReceiveWaitsForTheOneBeforeIt(t *testing.T) {
	talk := func(id int, send, nonblocking bool, peer int) oracle.Call {
		return oracle.Call{ID: id, Kind: oracle.Talk, Nonblocking: nonblocking,
			Parts: []oracle.Part{{Send: send, Peer: peer}}}
	}
	wait := func(id, request int) oracle.Call {
		return oracle.Call{ID: id, Kind: oracle.Waitall, Requests: []int{request}}
	}
	p := &oracle.Program{Comms: [][]int{{0, 1, 2}}, Waves: [][]oracle.Wave{{{}}}, Ranks: [][]oracle.Call{
		{talk(0, false, true, oracle.Any), talk(1, false, true, 1), wait(2, 1), talk(3, true, false, 2),
			talk(4, false, false, 2), wait(5, 0)},
		{talk(0, true, false, 0), talk(1, true, false, 0)},
		{talk(0, false, false, 0), talk(1, true, false, 0)},
	}}
	table := tableOf(t)
	for _, b := range []exact.Buffering{exact.BufferNone, exact.BufferAll} {
		if want, got, _ := ask(t, table, p.Log(), b, false); want != got || want != exact.Free {
			t.Errorf("buffering %d: search says %v, solver %v, want free\n%s", b, want, got, p)
		}
	}
}
