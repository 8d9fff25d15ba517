package agent

import (
	"syscall"
	"time"

	"unknot/internal/finding"
	"unknot/internal/procstat"
	"unknot/internal/ring"
	"unknot/internal/symbol"
)

// World is all that the agent learns of the job other than from the session directory, and all that it does to it.
// Whoever answers in the place of living processes, as a recording does, hands in another one.
type World struct {
	Processes Processes
	Symbols   Symbols
	Now       func() time.Time // nil stands for time.Now
	// Await sleeps until a probe rings the session's bell, which was seen to have been rung so often; nil if none does.
	Await func(s *ring.Session, seen uint32)
}

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
	// Sleep says whether a thread sleeps on what only another thread of its process can wake it from, see sleep.go.
	Sleep(pid, tid int) (Slumber, bool)
	// Roused says whether something else than the known threads may wake one that sleeps so.
	Roused(pid int, known map[int]bool) bool
	// Doing says what the kernel knows of a thread.
	Doing(pid, tid int) procstat.Activity
	// AskStack asks a thread for its call stack, and Stack waits for it, at the longest until end.
	AskStack(r Source, tid int) error
	Stack(r Source, end time.Time) ([]uint64, error)
	// Halt stops a process that is about to be ended.
	Halt(pid int)
}

// Symbols finds what addresses of the program stand for.
type Symbols interface {
	Own(o symbol.Owners)
	Hold(m *symbol.Maps)
	Frames(m *symbol.Maps, pc uint64, isReturn bool) []finding.Frame
	Field(m *symbol.Maps, pc uint64, s symbol.Struct) string
	Declared(m *symbol.Maps, pc uint64, expression string) (symbol.Declared, bool)
	Data(m *symbol.Maps) Variables
	// Suspended is the call stack of a thread that waits in the kernel at that instruction, with that stack pointer: it
	// is read from outside.
	Suspended(m *symbol.Maps, pc, sp uint64) []uint64
	// Script is the call stack of a thread in Python, which is read from outside, too.
	Script(m *symbol.Maps, tid int) []finding.Frame
	Close()
}

// Variables are those of one process that have a fixed place.
type Variables interface {
	Variable(at uint64) (symbol.Variable, bool)
}

// Living is the world as it is.
func Living() World {
	return World{Processes: living{ends: newEnds()}, Symbols: files{symbol.New()}, Await: (*ring.Session).AwaitBell}
}

// living asks the kernel about processes.
type living struct{ ends *ends }

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

func (l living) AskStack(r Source, tid int) error { return r.RequestStack(tid) }

func (l living) Stack(r Source, end time.Time) ([]uint64, error) { return r.Stack(end) }

func (l living) Halt(pid int) {
	_ = syscall.Kill(pid, syscall.SIGSTOP) // it may have ended
}

// files reads the symbols of the files that are mapped.
type files struct{ *symbol.Resolver }

func (f files) Data(m *symbol.Maps) Variables { return f.Resolver.Data(m) }
