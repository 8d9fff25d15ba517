package ring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// realTimeMax is SIGRTMAX of glibc and the kernel on Linux.
const realTimeMax = 64

const stackSignal syscall.Signal = realTimeMax - StackSignalBelowMax

// AskStack asks the ring's thread, whose id is tid, for its call stack and waits for it, at most as long as said.
func (r *Ring) AskStack(tid int, patience time.Duration) ([]uint64, error) {
	if err := r.RequestStack(tid); err != nil {
		return nil, err
	}
	return r.Stack(time.Now().Add(patience))
}

// RequestStack signals the ring's thread to leave its call stack in the header. Many threads can be asked before the
// first answer is fetched with Stack: each has to get a processor first.
func (r *Ring) RequestStack(tid int) error {
	h := r.header
	if atomic.LoadUint32(&h.StackReady) == 0 {
		return fmt.Errorf("call stack of thread %d of process %d: the program uses signal %d itself", tid,
			r.PID, stackSignal)
	}
	atomic.AddUint32(&h.StackAsk, 1)
	if err := unix.Tgkill(r.PID, tid, stackSignal); err != nil {
		return fmt.Errorf("call stack of thread %d of process %d: %w", tid, r.PID, err)
	}
	return nil
}

// Stack waits until the thread has answered the last request, at the longest until end. The result is return addresses,
// innermost first, from the caller of the MPI function on.
func (r *Ring) Stack(end time.Time) ([]uint64, error) {
	h := r.header
	ask := atomic.LoadUint32(&h.StackAsk)
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 10*time.Millisecond) {
		if atomic.LoadUint32(&h.StackDone) == ask {
			n := min(int(atomic.LoadUint32(&h.StackN)), len(h.Stack))
			return append([]uint64(nil), h.Stack[:n]...), nil
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("call stack of a thread of process %d: %w", r.PID, errNoAnswer)
		}
		time.Sleep(wait)
	}
}

var errNoAnswer = errors.New("no answer in time")
