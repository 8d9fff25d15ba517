package detect

import (
	"slices"
	"syscall"

	"unknot/internal/agent/proto"
	"unknot/internal/message"
)

// halt stops the ranks of a job that is about to be ended: ranks that poll would leave the supervisor and the launcher a
// small share of the cores. A stopped process can be killed like any other.
func (r *Root) halt() {
	for _, w := range r.state.threads {
		if w.PID > 0 && w.State != message.Dead {
			_ = syscall.Kill(w.PID, syscall.SIGSTOP)
		}
	}
}

// end tells the supervisor to stop the job, or what was left hanging.
func (r *Root) end(why string) {
	if r.stopped {
		return
	}
	r.stopped = true
	if !r.opts.Leave {
		r.halt()
	}
	r.send()
	m := proto.Message{Type: proto.Stop, Why: why}
	if r.opts.Leave {
		m.Type = proto.Leave
		for _, w := range r.state.threads {
			m.Processes = append(m.Processes, proto.Process{Rank: int(w.Rank), PID: w.PID, Host: r.opts.Host})
		}
		m.Processes = slices.CompactFunc(m.Processes, func(a, b proto.Process) bool { return a.Rank == b.Rank })
	}
	_ = r.out.Send(m)
}
