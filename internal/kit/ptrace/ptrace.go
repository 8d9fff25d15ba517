// Package ptrace looks at a thread of another process: the kernel stops it, its registers and the end of its stack
// are copied, and it continues (ptrace(2), PTRACE_SEIZE). That takes some 50 microseconds. A thread that waits in the
// kernel may be stopped so only in system calls that the kernel resumes: others would be cut short (signal(7)).
package ptrace

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// Thread is what a thread was at a moment.
type Thread struct {
	PC        uint64
	Registers []uint64 // by their DWARF numbers
	SP        uint64
	Stack     []byte // from SP on, as far as it could be read
	Stopped   time.Duration
}

// ErrGone is that the thread has ended.
var ErrGone = errors.New("the thread has ended")

// ErrCut is that a thread waits in a system call that would be cut short.
var ErrCut = errors.New("the system call that the thread waits in would be cut short")

// LookAsleep looks at a thread that sleeps in a system call which the kernel resumes so that the program does not
// notice it. The error is ErrCut if it does not sleep, or in another one.
func LookAsleep(pid, tid, bytes int) (Thread, error) {
	call, in := procstat.WaitsIn(pid, tid)
	if !in || !resumed(pid, call) || !asleep(pid, tid) {
		return Thread{}, ErrCut
	}
	if again, in := procstat.WaitsIn(pid, tid); !in || again != call { // to find that out has taken a while
		return Thread{}, ErrCut
	}
	return Look(pid, tid, bytes)
}

// asleep says whether a thread sleeps so that the kernel can stop it.
func asleep(pid, tid int) bool {
	stat, err := procstat.Of(fmt.Sprintf("/proc/%d/task/%d", pid, tid))
	return err == nil && stat[procstat.State] == "S"
}

// Look looks at a thread of a process that runs, and copies at most so many bytes of its stack. The error says what
// the kernel refused, EPERM among them (errors.Is), or is ErrGone.
func Look(pid, tid, bytes int) (t Thread, err error) {
	runtime.LockOSThread() // who seizes a thread must be the one to ask it
	defer runtime.UnlockOSThread()
	if err := unix.PtraceSeize(tid); err != nil {
		if errors.Is(err, unix.ESRCH) {
			return t, ErrGone
		}
		return t, fmt.Errorf("ptrace of thread %d: %w", tid, err)
	}
	begin := time.Now()
	if err := unix.PtraceInterrupt(tid); err != nil {
		return t, errors.Join(fmt.Errorf("stopping thread %d: %w", tid, err), detach(tid, 0))
	}
	status, err := await(tid)
	if err != nil {
		return t, err
	}
	var all unix.PtraceRegs
	if err = unix.PtraceGetRegs(tid, &all); err == nil {
		t.take(&all)
		t.Stack = read(pid, uintptr(t.SP), bytes)
	}
	// A signal that came just then is passed on; a process that was stopped before stays so.
	var signal unix.Signal
	if status.TrapCause() != unix.PTRACE_EVENT_STOP {
		signal = status.StopSignal()
	}
	err = errors.Join(err, detach(tid, signal))
	t.Stopped = time.Since(begin)
	return t, err
}

// await waits until a thread has stopped.
func await(tid int) (status unix.WaitStatus, err error) {
	for {
		_, err = unix.Wait4(tid, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return status, fmt.Errorf("waiting for thread %d: %w", tid, err)
		case status.Stopped():
			return status, nil
		default:
			return status, ErrGone
		}
	}
}

func detach(tid int, signal unix.Signal) error {
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(tid), 0, uintptr(signal), 0, 0)
	if errno != 0 && errno != unix.ESRCH {
		return fmt.Errorf("letting thread %d go on: %w", tid, errno)
	}
	return nil
}

// read copies memory of a process, as far as it is there.
func read(pid int, at uintptr, bytes int) []byte {
	const page = 4096
	buffer := make([]byte, bytes)
	local := []unix.Iovec{{Base: &buffer[0]}}
	local[0].SetLen(bytes)
	var remote []unix.RemoteIovec
	for from := at; from < at+uintptr(bytes); { // parts of a page each: what cannot be read ends the copy
		n := min(page-int(from%page), int(at+uintptr(bytes)-from))
		remote = append(remote, unix.RemoteIovec{Base: from, Len: n})
		from += uintptr(n)
	}
	n, err := unix.ProcessVMReadv(pid, local, remote, 0)
	if err != nil {
		return nil
	}
	return buffer[:n]
}
