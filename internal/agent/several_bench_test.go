package agent

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// BenchmarkRecordsOfSeveral is what several agents, on a core each, do with the ring exchange of which BenchmarkRecords
// measures one agent: records by the time that passes. Neighbours whose agents are two wait for each other once in an
// iteration, in the strict view (waitstate), and no batch spares them that.
func BenchmarkRecordsOfSeveral(b *testing.B) {
	for _, agents := range []int{1, 2} {
		for _, size := range []int{2, 16, 64} {
			b.Run(fmt.Sprintf("%d/%d", agents, size), func(b *testing.B) {
				list, tapes := sharing(b, agents, size)
				defer runtime.KeepAlive(kernel.NewReserve())
				records, begun := 0, time.Now()
				for b.Loop() {
					var all sync.WaitGroup
					for i, a := range list {
						for _, p := range tapes[i] {
							records += p.calls
						}
						all.Go(func() { a.followAll(tapes[i]) })
					}
					all.Wait()
				}
				b.ReportMetric(float64(records)/time.Since(begun).Seconds(), "records/s")
			})
		}
	}
}

// followAll plays tapes to an agent until its ranks are where they were.
func (a *Agent) followAll(tapes []*tape) {
	for _, p := range tapes {
		p.replay()
	}
	for more := true; more; {
		more = a.readRings()
		a.takeMessages()
		a.flush()
		for _, r := range a.order {
			more = more || r.threads[0].WS.Strict() != nil
		}
		if more {
			runtime.Gosched()
		}
	}
}

// sharing makes agents that share ranks, blocks of neighbours, and the tapes of each.
func sharing(b *testing.B, agents, size int) ([]*Agent, [][]*tape) {
	b.Helper()
	table, err := mpi.Load()
	if err != nil {
		b.Fatal(err)
	}
	resolve := symbol.New()
	b.Cleanup(func() { resolve.Close() })
	net, home := encoded(b, agents), func(r op.Rank) int { return int(r) * agents / size }
	list, tapes := make([]*Agent, agents), make([][]*tape, agents)
	for i := range list {
		list[i] = New(net.Member(i), table, World{Processes: kernel.Living(), Symbols: files{resolve}},
			Ranks{Home: home},
			Options{Folding: Folding{NoFold: true}})
	}
	// barriers go by the root, which is not there
	without := func(s *script, left, right uint64, _ bool) { s.exchange(left, right, false) }
	for i := range size {
		at := home(op.Rank(i))
		tapes[at] = append(tapes[at], list[at].watchTape(b, i, size, 1<<12, without))
	}
	return list, tapes
}
