// Package kernel is what the kernel of this node says of the processes of a job: whether, when and in which order they
// ended, what their threads wait for, and what processor time these have had. It knows nothing of MPI.
package kernel

import (
	"syscall"
	"time"

	"unknot/internal/kit/procstat"
	"unknot/internal/observe/ring"
)

// Processes answers for the processes of this node. Several goroutines ask.
type Processes interface {
	// Above are a process's ancestors, up to the supervisor.
	Above(pid int) []int
	// Gone says whether a process has ended. A zombie has.
	Gone(pid int) bool
	// Watch has the end of a process noticed, and Collect notes those that have ended since it was called last.
	Watch(pid int)
	Collect()
	// End tells when a watched process ended; false if it has not, or cannot be watched.
	End(pid int) (Ending, bool)
	// Clock is the clock by which probes note the time of a death, in nanoseconds.
	Clock() uint64
	// Time is the processor time that a thread has had, and whether it sleeps now. Of a thread that is gone it is zero
	// and asleep.
	Time(pid, tid int) (cpu time.Duration, asleep bool)
	// Sleep says whether a thread sleeps on what only another thread of its process can wake it from.
	Sleep(pid, tid int) (Slumber, bool)
	// Roused says whether something else than the known threads may wake one that sleeps so.
	Roused(pid int, known map[int]bool) bool
	// Doing says what the kernel knows of a thread.
	Doing(pid, tid int) procstat.Activity
	// Environment are the environment variables that a process was started with, "NAME=VALUE"; none if they may not be
	// asked.
	Environment(pid int) []string
	// AskStack asks a thread for its call stack, and Stack waits for it, at the longest until end.
	AskStack(r Stacks, tid int) error
	Stack(r Stacks, end time.Time) ([]uint64, error)
	// LockedOut is the call stack of a thread that sleeps for a mutex which another thread has, by the ring of the
	// thread that initialised MPI; nil if it does not, or does not answer until end.
	LockedOut(r Stacks, tid, owner int, end time.Time) []uint64
	// Halt stops a process that is about to be ended.
	Halt(pid int)
}

// Stacks asks the probe of a process for the call stack of a thread (ring.Ring).
type Stacks interface {
	Of() *ring.Owner
	RequestStack(tid int) error
	Stack(end time.Time) ([]uint64, error)
}

// living asks the kernel about processes.
type living struct{ ends *ends }

// Living answers for the processes as they are.
func Living() Processes { return living{ends: newEnds()} }

func (l living) Above(pid int) []int { return ancestors(pid) }

func (l living) Gone(pid int) bool {
	if l.ends.lives(pid) {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err != nil && err != syscall.EPERM || zombie(pid)
}

func (l living) Watch(pid int) { l.ends.add(pid) }

func (l living) Collect() { l.ends.collect() }

func (l living) End(pid int) (Ending, bool) { return l.ends.of(pid) }

func (l living) Clock() uint64 { return monotonic() }

func (l living) Time(pid, tid int) (time.Duration, bool) { return threadTime(pid, tid) }

func (l living) Sleep(pid, tid int) (Slumber, bool) {
	call, sleeps := waitsForSibling(pid, tid)
	s := Slumber{Call: call}
	if sleeps && call != "" {
		s.Turns = switches(pid, tid)
	}
	return s, sleeps
}

func (l living) Roused(pid int, known map[int]bool) bool { return roused(pid, known) }

func (l living) Doing(pid, tid int) procstat.Activity { return procstat.Doing(pid, tid) }

func (l living) Environment(pid int) []string { return procstat.Environment(pid) }

func (l living) AskStack(r Stacks, tid int) error { return r.RequestStack(tid) }

func (l living) Stack(r Stacks, end time.Time) ([]uint64, error) { return r.Stack(end) }

func (l living) Halt(pid int) {
	_ = syscall.Kill(pid, syscall.SIGSTOP) // it may have ended
}
