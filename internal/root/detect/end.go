package detect

import (
	"slices"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/message"
)

// end tells the supervisor to stop the job, or what was left hanging.
func (r *Root) end(why string) {
	if r.stopped {
		return
	}
	r.stopped = true
	r.status.send() // who follows a short job sees, too, that its ranks were blocked
	if !r.opts.Leave {
		r.net.Broadcast(message.Halt{Host: r.opts.Host})
	}
	r.findings.sendRest()
	m := proto.Message{Type: proto.Stop, Why: why}
	if r.opts.Leave {
		m.Type = proto.Leave
		for _, rep := range r.round.reports {
			for _, p := range rep.Processes {
				m.Processes = append(m.Processes, proto.Process{Rank: int(p.Rank), PID: p.PID, Host: p.Host})
			}
		}
		slices.SortFunc(m.Processes, func(a, b proto.Process) int { return a.Rank - b.Rank })
		m.Processes = slices.CompactFunc(m.Processes, func(a, b proto.Process) bool { return a.Rank == b.Rank })
	}
	_ = r.out.Send(m)
}
