package agent

import (
	"slices"
	"syscall"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/ring"
)

// alive says whether the rank's process still runs. A zombie does not.
func (r *rank) alive() bool { return !r.gone }

// final says whether the rank's MPI_Finalize has returned, or it has ended with all its sessions finalised.
func (r *rank) final() bool {
	return r.first != nil && (r.first.Final() || r.gone && r.first.Between())
}

// watchProcesses notices ranks whose process has ended.
func (a *Agent) watchProcesses() {
	for _, r := range a.order {
		if r.gone || r.first == nil || r.sources[0].promised() {
			continue
		}
		if !r.processes.Gone(r.pid) {
			continue
		}
		r.gone, r.ended = true, a.now
		a.readOut(r)
		if !r.final() {
			a.net.SendUp(*a.death(r))
		} else if told, ok := r.first.Death(); ok && (told.Cause != ring.DeathExit || told.Code&0xff != 0) {
			a.net.SendUp(message.Death{Rank: r.world, Final: true, Nanos: told.Nanos})
		}
	}
}

// death tells how a rank's process ended and what it did last.
func (a *Agent) death(r *rank) *message.Death {
	d := &message.Death{Rank: r.world}
	t := r.threads[0]
	told, ok := r.first.Death()
	if ok {
		d.Kind, d.Code, d.Nanos = told.Cause, told.Code, told.Nanos
		for _, other := range r.threads {
			if uint32(other.ws.Index) == told.Thread {
				t = other
			}
		}
	}
	d.Moment = r.moment(t.stamp)
	within := t.fn != nil && t.inCall()
	switch {
	case within && t.use.Func == t.fn:
		d.Place = a.place(r, t.fn, t.site, t.use.Words, t.stamp)
		d.Place.Nth = t.nth()
	case t.nlast > 0:
		o := t.latest()
		d.Place = a.place(r, a.table.ByID(o.Fn), o.Site, o.First(), o.Stamp)
	default:
		d.Place = finding.Place{Rank: int(r.world), WaitsFor: []int{}}
	}
	d.Place.State = "died"
	d.Place.Thread = int(t.ws.Index)
	d.Place.Last = a.history(t, false)
	if within {
		d.Within, d.Scope = true, t.scopeOfOp()
		d.Inside = t.op != nil && !t.op.Returned() && t.op.Blocking && needsOthers(t.fn, &d.Scope)
	}
	d.Own = ok && (told.Sender == 0 || int(told.Sender) == r.pid)
	d.Ending = slices.ContainsFunc(r.threads, func(t *thread) bool { return t.op != nil && t.op.Terminal })
	d.Except = r.except
	if r.objects.Sessions {
		d.Sessions, d.Begun = true, a.begun(r)
	}
	switch told.Cause {
	case ring.DeathSignal:
		if told.Sender != 0 {
			d.Secondary = fatherly(syscall.Signal(told.Code)) && r.below(int(told.Sender))
		} else if r.maps != nil {
			if f := a.resolve.Frames(r.maps, told.Addr, false); len(f) > 0 {
				d.Place.Stack, d.Fault = f, f[0]
			}
		}
	case ring.DeathExit, ring.DeathAbort:
	default:
		end, known := await(r.processes, r.pid)
		d.Nth, d.Nanos, d.Late = end.Nth, end.Nanos, end.Late
		if !known {
			d.Nanos, d.Late = r.processes.Clock(), true
		}
	}
	return d
}

// needsOthers says whether other ranks may keep a call that blocks: one that is passed through does so by itself unless it is for a communicator or
// window, as MPI_Open_port.
func needsOthers(f *mpi.Func, s *message.Scope) bool {
	return f.Class != mpi.Opaque || len(s.Contexts) > 0
}

// fatherly says whether a signal is one with which launchers end the other ranks of a failed job.
func fatherly(s syscall.Signal) bool {
	return s == syscall.SIGTERM || s == syscall.SIGKILL || s == syscall.SIGINT || s == syscall.SIGCONT || s == syscall.SIGHUP
}

// below says whether a process is one of the rank's ancestors, or may be, as they are not known.
func (r *rank) below(pid int) bool { return len(r.above) == 0 || slices.Contains(r.above, pid) }
