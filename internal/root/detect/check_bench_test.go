package detect

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// world is the context of MPI_COMM_WORLD here.
const world op.CommID = 1

// spentTime is what the process has used of all cores.
func spentTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// everybodyWaits is what agents report of ranks that all wait in a receive from any source.
func everybodyWaits(size int) *message.Report {
	rep := &message.Report{Groups: map[op.CommID]op.Ranks{world: op.FirstRanks(size)}}
	var threads message.Folder
	for i := range size {
		r := op.Rank(i)
		threads.Add(message.Wait{Rank: r, State: message.Blocked, Evidence: true, Real: waitstate.Wait{Rank: r, TS: 1,
			Needs: []waitstate.Need{{Kind: waitstate.NeedMessage, Rank: op.AnySource, Ctx: world, Index: -1}}}})
	}
	rep.Threads = threads.Folds
	return rep
}

// BenchmarkWildcardCheck is the root's deadlock check of the wildcard test of the SC 2013 paper, section 6: from the
// reports of all ranks over the wait-for graph to the deadlocked core. The budget is 10 ms for 4,096 ranks and a second
// for a million.
func BenchmarkWildcardCheck(b *testing.B) {
	for _, size := range []int{4096, 65536, 1000000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			reports := []*message.Report{everybodyWaits(size)}
			runtime.GC() // what the set-up left behind is not the check's
			b.ReportAllocs()
			before := spentTime(b)
			for b.Loop() {
				g := merge(size, reports).graph(necessary)
				cores := g.g.Cores(maxCores)
				if len(cores) != 1 || len(cores[0]) != size {
					b.Fatalf("%d cores", len(cores))
				}
			}
			b.ReportMetric(float64((spentTime(b)-before).Microseconds())/1e3/float64(b.N), "ms/check")
		})
	}
}
