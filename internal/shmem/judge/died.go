package judge

import (
	"slices"

	"golang.org/x/sys/unix"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/upc/layout"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/finding"
)

// process is how far the process of a PE is.
type process struct {
	source *source // nil if it has not begun
	ended  bool
	ending bool   // it has called shmem_finalize
	there  bool   // its process was seen
	gone   bool   // and is there no more
	end    uint32 // the site of shmem_finalize
}

// died is what has ended a PE before shmem_finalize, if it has said so. In that call it is the library that dies, as
// that of Open MPI 4.1 does.
func (p *process) died() streams.Death {
	if p.source == nil || p.ended || p.ending {
		return streams.Death{}
	}
	return p.source.stream.Death()
}

// byItself says whether a PE has died of what it did itself. Other signals come from launchers, which end the PEs of a
// job that has failed, and from terminals.
func (p *process) byItself() bool {
	d := p.died()
	switch d.Cause {
	case layout.DiedExit:
		return d.Code != 0 // else the library is finalised, as by start_pes (9.1)
	case layout.DiedSignal:
		return d.Sender == p.source.stream.PID() || d.Sender == 0 &&
			slices.Contains([]unix.Signal{unix.SIGSEGV, unix.SIGBUS, unix.SIGFPE, unix.SIGILL,
				unix.SIGTRAP, unix.SIGSYS,
				unix.SIGPIPE, unix.SIGXCPU, unix.SIGALRM}, unix.Signal(d.Code))
	}
	return false
}

// vanished says whether the process of a PE was seen to be gone without shmem_finalize.
func (p *process) vanished() bool { return p.gone && !p.ended && !p.ending }

// unsaid says whether the process of a PE is gone, and has said nothing.
func (p *process) unsaid() bool {
	p.lookAtProcess()
	return p.vanished() && p.died().Cause == 0
}

// hasDied says whether the process of some PE is gone without shmem_finalize.
func (j *job) hasDied() bool {
	return slices.ContainsFunc(j.pes, func(p pe) bool { return p.vanished() })
}

// death makes the finding of the PE that died first, nil if none is known to have died of anything but the end of the
// job.
func (j *job) death(p *program) *finding.Finding {
	first, unsaid := -1, []int{}
	for t := range j.pes {
		e := &j.pes[t]
		if e.byItself() && (first < 0 || e.died().Nanos < j.pes[first].died().Nanos) {
			first = t
		}
		if e.unsaid() {
			unsaid = append(unsaid, t)
		}
	}
	// the others have ended, or launchers have ended them by signals that can be seen
	if first < 0 && len(unsaid) == 1 {
		first = unsaid[0]
	}
	if first < 0 {
		return nil
	}
	d := shmem.Death{PE: first, Cause: j.pes[first].cause(p)}
	if last := j.pes[first].last; last != 0 {
		d.Last = p.site(last)
	}
	f := d.Finding()
	return &f
}

// cause is what has ended a PE.
func (p *process) cause(of *program) (c shmem.Cause) {
	switch d := p.died(); d.Cause {
	case layout.DiedExit:
		c.Exit, c.Status = true, d.Code
	case layout.DiedSignal:
		c.Signal = unix.Signal(d.Code)
		if m := of.memory(p.source.stream.PID()); m != nil && d.Sender == 0 {
			c.At = (&shmem.Site{Frames: of.resolve.Frames(m.maps, d.PC, false)}).Frame()
		}
	}
	return c
}
