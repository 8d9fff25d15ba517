package text

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of this thread: other work on the machine does not count.
func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stencil is a log of ranks on a line that exchange with both neighbours, without blocking.
func stencil(ranks, rounds int) ([]byte, int) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "ranks %d\n", ranks)
	calls := 0
	for r := range ranks {
		fmt.Fprintf(&b, "P%d:", r)
		left, right := (r+ranks-1)%ranks, (r+1)%ranks
		for range rounds {
			fmt.Fprintf(&b, " Irecv(%d,0)=a Irecv(*,1)=b Isend(%d,0)=c Isend(%d,1)=d Waitall(a,b,c,d) "+
				"Recv(%d,7)<-%d@solve.c:120", left, right, left, left, left)
			calls += 6
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), calls
}

// BenchmarkText reports calls that are read and written in a second of processor time. UNKNOT_TEXT_RANKS=1000000 adds a
// log of a million processes.
func BenchmarkText(b *testing.B) {
	big, _ := strconv.Atoi(os.Getenv("UNKNOT_TEXT_RANKS"))
	for _, c := range []struct{ ranks, rounds int }{{64, 3000}, {20000, 10}, {big, 1}} {
		if c.ranks == 0 {
			continue
		}
		b.Run(strconv.Itoa(c.ranks), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			written, calls := stencil(c.ranks, c.rounds)
			reading, writing, n := time.Duration(0), time.Duration(0), 0
			for b.Loop() {
				start := threadTime()
				l, err := Read(bytes.NewReader(written), "log")
				if err != nil {
					b.Fatal(err)
				}
				reading += threadTime() - start
				start = threadTime()
				if err := Write(io.Discard, l); err != nil {
					b.Fatal(err)
				}
				writing += threadTime() - start
				n += calls
			}
			b.ReportMetric(float64(n)/reading.Seconds(), "read/cpu-s")
			b.ReportMetric(float64(n)/writing.Seconds(), "written/cpu-s")
		})
	}
}
