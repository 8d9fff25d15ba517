package agent

import (
	"cmp"
	"slices"
	"strings"
	"syscall"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// watchProcesses notices ranks whose process has ended.
func (a *Agent) watchProcesses() {
	for _, r := range a.order {
		if r.gone || r.first == nil || r.sources[0].repeats.Promised() {
			continue
		}
		if !r.processes.Gone(r.PID) {
			r.lastSeen = a.now
			continue
		}
		if !r.Lost && a.now.Sub(r.lastSeen) < lastBreath && r.missesRing() {
			continue // what one of its threads did is still to come
		}
		r.gone, r.ended = true, a.now
		a.folding.ReadOut(r.sources[0].repeats, func() bool { return a.readRank(r) })
		if !r.final() {
			a.net.SendUp(*a.death(r))
		} else if told, ok := r.first.Death(); ok && (told.Cause != ring.DeathExit || told.Code&0xff != 0) {
			a.net.SendUp(message.Death{Rank: r.World, Final: true, Nanos: told.Nanos})
		}
	}
}

// death tells how a rank's process ended and what it did last.
func (a *describer) death(r *rank) *message.Death {
	d := &message.Death{Rank: r.World}
	told, ok := a.cause(r)
	t := r.threads[0]
	if ok {
		d.Kind, d.Code, d.Nanos, d.Signal = told.Cause, told.Code, told.Nanos, told.handled
		d.Apart = told.Thread == ring.NoThread
		for _, other := range r.threads {
			if uint32(other.WS.Index) == told.Thread {
				t = other
			}
		}
	}
	d.Moment = r.Moment(t.Stamp)
	within := t.Func != nil && t.inCall()
	switch {
	case within && t.Call.Func == t.Func:
		d.Place = a.Place(&r.Process, t.Func, t.Site, t.Call.Words, t.Stamp)
		d.Place.Nth = t.Nth()
	case t.Latest() != nil:
		o := t.Latest()
		d.Place = a.Place(&r.Process, a.table.ByID(o.Fn), o.Site, o.First(), o.Stamp)
	default:
		d.Place = finding.Place{Rank: int(r.World), WaitsFor: []int{}}
	}
	if d.Apart {
		d.Place, within = finding.Place{Rank: int(r.World), WaitsFor: []int{}}, false
	}
	d.Place.State, d.Place.After = "died", !within && d.Place.Call != ""
	d.Place.Thread = int(t.WS.Index)
	if !d.Apart {
		d.Place.Last = a.history(t, false)
	}
	if within {
		d.Within, d.Scope = true, t.ScopeOfOp()
		if t.Call.Func == t.Func {
			d.Because = t.checked.Call.Because
		}
		d.Inside = t.Op != nil && !t.Op.Returned() && t.Op.Blocking && needsOthers(t.Func, &d.Scope)
	}
	d.Own = ok && (told.Sender == 0 || int(told.Sender) == r.PID)
	d.Ending = slices.ContainsFunc(r.threads, func(t *thread) bool { return t.Op != nil && t.Op.Terminal })
	d.Except = r.except
	if r.Objects.Sessions {
		d.Sessions, d.Begun = true, a.Begun(&r.Process)
	}
	if !ok {
		end, known := kernel.Await(r.processes, r.PID)
		d.Nth, d.Nanos, d.Late = end.Nth, end.Nanos, end.Late
		if !known {
			d.Nanos, d.Late = r.processes.Clock(), true
		}
	}
	d.Secondary = a.askedToEnd(r, &told)
	d.Outside = ok && !d.Own && !d.Secondary && fatherly(syscall.Signal(cmp.Or(told.handled, told.Code)))
	if ok && d.Own {
		a.lastWords(r, d, &told)
	} else {
		d.Stood = a.stood(r, t, &told)
	}
	if d.Within && told.Cause == ring.DeathExit && d.Signal == 0 && d.Fault == (finding.Frame{}) {
		d.Class = r.Objects.ErrorClass(d.Code)
		t.Truncated = d.Class == objects.ErrTruncate
	}
	return d
}

// cause is how a process ended, as far as that is known.
type cause struct {
	ring.Death
	handled int32 // the signal in whose handler it ended itself, 0 for none
}

// cause is how a rank's process ended; false if it could not tell. That it was in its handler of a fault says enough.
func (a *describer) cause(r *rank) (told cause, ok bool) {
	told.Death, ok = r.first.Death()
	fault, handled := r.first.Fault()
	inside := handled && fault.State == ring.FaultInside
	if ok {
		if inside && told.Cause == ring.DeathExit && told.Addr != 0 {
			told.handled = fault.Signal
		}
		return told, ok
	}
	if !inside || !itself(syscall.Signal(fault.Signal), int(fault.Sender) == r.PID) {
		return told, false
	}
	told.Death = ring.Death{Cause: ring.DeathSignal, Code: fault.Signal, Sender: fault.Sender, Thread: fault.Thread,
		Addr: fault.Addr, Nanos: fault.Nanos}
	return told, true
}

// itself says whether a signal comes of what the program has done.
func itself(s syscall.Signal, own bool) bool {
	switch s {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS:
		return true
	}
	return s == syscall.SIGABRT && own
}

// askedToEnd says whether the launcher had a rank end, which may have handled the signal first.
func (a *describer) askedToEnd(r *rank, told *cause) bool {
	if told.Cause == ring.DeathSignal {
		return told.Sender != 0 && fatherly(syscall.Signal(told.Code)) && r.below(int(told.Sender))
	}
	fault, handled := r.first.Fault()
	return handled && fault.Sender != 0 && int(fault.Sender) != r.PID && fatherly(syscall.Signal(fault.Signal)) &&
		r.below(int(fault.Sender))
}

// lastWords takes in where and with which words a process ended itself.
func (a *describer) lastWords(r *rank, d *message.Death, told *cause) {
	stack, how, said := r.first.End()
	exact := told.Cause == ring.DeathSignal || told.handled != 0
	if len(stack) == 0 && exact && told.Sender == 0 {
		stack = []uint64{told.Addr}
	}
	if r.Maps == nil || told.Cause == ring.DeathAbort {
		stack = nil // its call has a place
	}
	var frames []finding.Frame
	own, written := -1, false
	for i, pc := range stack {
		if pc == 0 { // a call of no function
			continue
		}
		at := a.resolve.Frames(r.Maps, pc, !exact || i > 0)
		if !written && a.inProgram(r, pc) {
			f := symbol.Written(at)
			written = !strings.HasPrefix(f.File, "/usr/") // else it is a template of a header's
			if own < 0 || written {
				d.Fault = f
			}
			if own < 0 {
				own = len(frames)
			}
		}
		frames = append(frames, at...)
	}
	frames = symbol.UpToMain(frames)
	if i := slices.IndexFunc(frames, func(f finding.Frame) bool { return f.Function == "start_thread" }); i > 0 {
		frames = frames[:i]
	}
	switch {
	case own < 0 && exact && told.Sender == 0 && len(frames) > 0:
		d.Fault = frames[0]
	case own > 0 && (!exact || told.Sender != 0):
		frames = frames[min(own, len(frames)):] // of the libraries by which it ends itself nothing is of interest
	}
	if d.Fault != (finding.Frame{}) {
		d.Place.Stack = frames
	}
	if d.Within && told.Cause == ring.DeathExit && d.Fault == d.Place.Frame {
		d.Fault = finding.Frame{} // the MPI library exits
	}
	text, rest, _ := strings.Cut(string(said), "\x00")
	rest, _, _ = strings.Cut(rest, "\x00")
	switch how {
	case ring.SaidMessage, ring.SaidRuntime:
		text, _ = strings.CutPrefix(text, "Fortran runtime error: ")
		d.Said = &message.Said{How: how, Text: strings.TrimSpace(text)}
	case ring.SaidException:
		d.Said = &message.Said{How: how, Kind: symbol.TypeName(text), Text: strings.TrimSpace(rest)}
	}
}

// needsOthers says whether other ranks may keep a call that blocks: one that is passed through does so by itself unless
// it is for a communicator or window, as MPI_Open_port.
func needsOthers(f *mpi.Func, s *message.Scope) bool {
	return f.Class != mpi.Opaque || len(s.Contexts) > 0
}

// fatherly says whether a signal is one with which launchers end the other ranks of a failed job.
func fatherly(s syscall.Signal) bool {
	return s == syscall.SIGTERM || s == syscall.SIGKILL || s == syscall.SIGINT || s == syscall.SIGCONT ||
		s == syscall.SIGHUP
}

// below says whether a process is one of the rank's ancestors, or may be, as they are not known.
func (r *rank) below(pid int) bool { return len(r.above) == 0 || slices.Contains(r.above, pid) }

// lastBreath is how long a rank may outlive its launcher before its end is no longer waited for.
const lastBreath = 3 * time.Second
