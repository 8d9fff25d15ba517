// Package thread reads the call stack of a thread of another process, with what is known of the registers in each
// function. A thread that waits in the kernel is read as it is; one that runs is stopped for a moment. So may be one
// that sleeps, for its registers, where the kernel resumes what it sleeps in.
package thread

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"unknot/internal/kit/procstat"
	"unknot/internal/kit/ptrace"
	"unknot/internal/kit/symbol"
)

// Seen is a thread at a moment.
type Seen struct {
	procstat.Activity
	Stack   []symbol.Activation // innermost first
	Stopped time.Duration       // for how long, 0 if it was not
	// Memory is that of the process; the thread's stack is as it was at the moment, if the thread was stopped.
	Memory io.ReaderAt
}

// ErrMoved is that the thread did not stay where it was for long enough to be read.
var ErrMoved = errors.New("the thread has gone on meanwhile")

// mostStack is how much of a stack is copied while the thread is stopped.
const mostStack = 256 << 10

// often is how many times a thread is looked at that moves meanwhile.
const often = 5

// Process is a process whose threads are read.
type Process struct {
	PID      int
	Maps     *symbol.Maps
	Memory   io.ReaderAt
	resolver *symbol.Resolver
	memory   *os.File
}

// Open gets at a process. The error is that of the kernel if that does not allow it (errors.Is, fs.ErrPermission).
func Open(r *symbol.Resolver, pid int) (*Process, error) {
	maps, err := symbol.ReadMaps(pid)
	if err != nil {
		return nil, err
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, err
	}
	return &Process{PID: pid, Maps: maps, Memory: memory, resolver: r, memory: memory}, nil
}

// Close gives back what Open has taken.
func (p *Process) Close() { p.memory.Close() }

// See looks at a thread.
func (p *Process) See(tid int) (Seen, error) {
	for range often {
		s := Seen{Activity: procstat.Doing(p.PID, tid)}
		switch {
		case s.State == 0 || s.State == 'Z' || s.State == 'X':
			return s, ptrace.ErrGone
		case s.State == 'R' || s.PC == 0:
			return p.stop(s, tid)
		}
		s.Memory = p.Memory
		s.Stack = p.resolver.Activations(p.Maps, s.Memory, symbol.Activation{PC: s.PC, SP: s.SP})
		if now := procstat.Doing(p.PID, tid); now.PC == s.PC && now.SP == s.SP {
			return s, nil
		}
	}
	return Seen{}, ErrMoved
}

// SeeStopped looks at a thread with all its registers. The error is ptrace.ErrCut if it waits in a system call that
// would be cut short.
func (p *Process) SeeStopped(tid int) (s Seen, err error) {
	for range often {
		if s.Activity = procstat.Doing(p.PID, tid); s.State == 'R' {
			return p.stop(s, tid)
		}
		t, failed := ptrace.LookAsleep(p.PID, tid, mostStack)
		if failed == nil {
			return p.stopped(s, t), nil
		}
		if err = failed; !errors.Is(err, ptrace.ErrCut) {
			break
		}
	}
	return s, err
}

func (p *Process) stop(s Seen, tid int) (Seen, error) {
	t, err := ptrace.Look(p.PID, tid, mostStack)
	if err != nil {
		return s, err
	}
	return p.stopped(s, t), nil
}

// stopped is a thread by what was copied of it while it was stopped.
func (p *Process) stopped(s Seen, t ptrace.Thread) Seen {
	s.PC, s.SP, s.Stopped = t.PC, t.SP, t.Stopped
	innermost := symbol.Activation{PC: t.PC, SP: t.SP}
	for number, value := range t.Registers {
		innermost.Registers.Values[number], innermost.Registers.Known[number] = value, true
	}
	s.Memory = overlay{p.Memory, t.SP, t.Stack}
	s.Stack = p.resolver.Activations(p.Maps, s.Memory, innermost)
	return s
}

// overlay is the memory of a process with the part that was copied while the thread was stopped.
type overlay struct {
	rest io.ReaderAt
	from uint64
	copy []byte
}

// ReadAt reads from the copy what begins there.
func (o overlay) ReadAt(b []byte, at int64) (int, error) {
	if i := uint64(at) - o.from; i < uint64(len(o.copy)) && uint64(len(o.copy))-i >= uint64(len(b)) {
		return copy(b, o.copy[i:]), nil
	}
	return o.rest.ReadAt(b, at)
}
