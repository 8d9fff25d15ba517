package screen

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// synthetic is a run of a stencil on a square torus with a master for every 64 ranks. Each of the rounds exchanges
// borders with four neighbours without blocking; then each worker sends a result to its master, which takes them from
// anybody, and a reduction ends the round.
func synthetic(ranks, rounds int) *Columns {
	side := 1
	for (side+1)*(side+1) <= ranks {
		side++
	}
	ranks = side * side
	world := trace.Comm{Members: make([]op.Rank, ranks)}
	c := NewColumns(ranks, []trace.Comm{world})
	const group = 64
	c.Reserve(ranks * rounds * 12)
	for r := range ranks {
		c.Thread(op.Rank(r))
		x, y := r%side, r/side
		around := [4]op.Rank{op.Rank(y*side + (x+1)%side), op.Rank(y*side + (x+side-1)%side),
			op.Rank((y+1)%side*side + x), op.Rank((y+side-1)%side*side + x)}
		master := r / group * group
		for round := range rounds {
			first := int32(c.Steps())
			for d, n := range around {
				c.Recv(n, int32(d), 0, op.Unknown, 0, false)
			}
			for d, n := range around {
				c.Send(n, int32(d^1), 0, op.Standard, false)
			}
			c.Wait(first, 8)
			if r != master {
				c.Send(op.Rank(master), 9, 0, op.Standard, true)
			} else {
				for range min(group, ranks-master) - 1 {
					c.Recv(op.AnySource, 9, 0, op.Unknown, 0, true)
				}
			}
			c.Coll(0, uint64(round), op.SyncAll, op.AnySource, 1, true)
		}
	}
	return c
}

// exchange is a run without wildcards, of the same kind.
func exchange(ranks, rounds int) *Columns {
	c := NewColumns(ranks, []trace.Comm{{Members: make([]op.Rank, ranks)}})
	c.Reserve(ranks * rounds * 2)
	for r := range ranks {
		c.Thread(op.Rank(r))
		left, right := op.Rank((r+ranks-1)%ranks), op.Rank((r+1)%ranks)
		for range rounds {
			if r%2 == 0 {
				c.Send(right, 0, 0, op.Standard, true)
				c.Recv(left, 0, 0, op.Unknown, 0, true)
			} else {
				c.Recv(left, 0, 0, op.Unknown, 0, true)
				c.Send(right, 0, 0, op.Standard, true)
			}
		}
	}
	return c
}

// onThread runs f and gives the processor time that its thread took. Other work on the machine does not count.
func onThread(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	f()
	return threadTime() - before
}

func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// heapPeak runs f and gives the most that the heap had in use meanwhile, in bytes.
func heapPeak(f func()) uint64 {
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most, tick := uint64(0), time.NewTicker(20*time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-stop:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	return <-peak
}

// BenchmarkScreen reports steps a second of screening alone, and the most heap for each step.
// UNKNOT_SCREEN_RANKS=1000000 adds the run of a million processes.
func BenchmarkScreen(b *testing.B) {
	big, _ := strconv.Atoi(os.Getenv("UNKNOT_SCREEN_RANKS"))
	for _, c := range []struct {
		name          string
		ranks, rounds int
		make          func(ranks, rounds int) *Columns
	}{
		{"stencil+master/1024", 1024, 1000, synthetic},
		{"stencil+master/16384", 16384, 60, synthetic},
		{"exchange/1024", 1024, 5000, exchange},
		{"stencil+master/big", big, 3, synthetic},
	} {
		if c.ranks == 0 {
			continue
		}
		b.Run(c.name, func(b *testing.B) {
			steps, spent, wall, most := 0, time.Duration(0), time.Duration(0), uint64(0)
			for b.Loop() {
				most = max(most, heapPeak(func() {
					columns := c.make(c.ranks, c.rounds)
					steps += columns.Steps()
					var r Result
					var hits []Hit
					start := time.Now()
					spent += onThread(func() { r, hits = columns.Screen() })
					wall += time.Since(start)
					if len(hits) > 0 || r.Ended < c.ranks-2*1000 {
						b.Fatalf("%d flags, %d of %d threads ended", len(hits), r.Ended, c.ranks)
					}
				}))
				runtime.GC()
			}
			b.ReportMetric(float64(steps)/spent.Seconds(), "steps/cpu-s")
			b.ReportMetric(float64(steps)/wall.Seconds(), "steps/s")
			b.ReportMetric(float64(most)/(float64(steps)/float64(b.N)), "peak-B/step")
			b.ReportMetric(float64(most)/(1<<20), "peak-MiB")
		})
	}
}

// BenchmarkCost reports seconds and memory for runs of many sizes, up to UNKNOT_SCREEN_STEPS steps (default 10
// million).
func BenchmarkCost(b *testing.B) {
	most, _ := strconv.Atoi(os.Getenv("UNKNOT_SCREEN_STEPS"))
	most = max(most, 10_000_000)
	for _, ranks := range []int{4, 1024, 1_000_000} {
		for steps := 10_000; steps <= most; steps *= 10 {
			rounds := steps / (11 * ranks)
			if rounds == 0 {
				continue
			}
			b.Run(fmt.Sprintf("%d/%d", ranks, steps), func(b *testing.B) {
				var spent time.Duration
				var heap uint64
				n, times := 0, max(1, 2_000_000/steps) // so that there is something to measure
				for b.Loop() {
					for range times {
						heap = max(heap, heapPeak(func() {
							columns := synthetic(ranks, rounds)
							n = columns.Steps()
							spent += onThread(func() { columns.Screen() })
						}))
						runtime.GC()
					}
				}
				b.ReportMetric(float64(n), "steps")
				b.ReportMetric(spent.Seconds()/float64(b.N*times), "cpu-s")
				b.ReportMetric(float64(heap)/(1<<20), "peak-MiB")
			})
		}
	}
}

// BenchmarkLog reports calls a second from a log in memory to its flags, filling the columns included.
func BenchmarkLog(b *testing.B) {
	const ranks, rounds = 1024, 2500
	l := &trace.Log{Head: trace.Head{Ranks: ranks}, Funcs: []string{"MPI_Send", "MPI_Recv"},
		Comms: []trace.Comm{{Members: make([]op.Rank, ranks)}}}
	for r := range ranks {
		t := trace.Thread{Rank: op.Rank(r), Ops: make([]trace.Op, 0, 2*rounds), Parts: make([]trace.Part, 0, 2*rounds),
			Waits: make([]trace.Wait, 0, 2*rounds)}
		for i := range 2 * rounds {
			p := trace.Part{Kind: op.Send, Peer: op.Rank((r + 1) % ranks)}
			if (i+r)%2 == 1 {
				p = trace.Part{Kind: op.Recv, Peer: op.Rank((r + ranks - 1) % ranks)}
			}
			t.Parts = append(t.Parts, p)
			t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: uint32(i)})
			t.Ops = append(t.Ops, trace.Op{Fn: uint16(p.Kind), Blocking: true, First: uint32(i), Started: 1,
				WaitAt: uint32(i), Waiting: 1})
		}
		l.Threads = append(l.Threads, t)
	}
	spent, n := time.Duration(0), 0
	for b.Loop() {
		spent += onThread(func() {
			if r := Log(l); !r.Certificate() {
				b.Fatalf("%d flags", len(r.Flags))
			}
		})
		n += 2 * ranks * rounds
	}
	b.ReportMetric(float64(n)/spent.Seconds(), "calls/cpu-s")
}
