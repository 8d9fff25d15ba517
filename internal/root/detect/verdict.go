package detect

import (
	"slices"
	"strings"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/message"

	"unknot/internal/say/explain"
)

// Verdict tells the rest when everything has been read: who died, what was not modelled, and hands over what was not
// yet. It is called after the root has ended.
func (r *Root) Verdict(watched int) (calls uint64, complete bool, why string) {
	r.deaths.judge(watched, len(r.ledger.lost) == 0)
	if len(r.ledger.passed) > 0 {
		r.findings.tell(explain.Passed(r.ledger.passed))
	}
	for _, u := range r.ledger.ended() {
		r.findings.tell(explain.Unused(&u))
	}
	r.findings.foldLost()
	r.findings.foldEarly()
	r.findings.sendRest()
	calls = r.ledger.calls()
	r.logFolded(r.ledger.folded(), calls)
	if len(r.ledger.lost) > 0 {
		return calls, false, strings.Join(r.ledger.lost, "; ")
	}
	if watched < r.size {
		return calls, false, explain.Unwatched(watched, r.size, len(r.deaths.list) > 0)
	}
	if r.deaths.outside != "" {
		return calls, false, r.deaths.outside
	}
	if r.ledger.broken != nil {
		return calls, false, explain.Unfollowed(r.ledger.broken)
	}
	if r.pace.hurried {
		return calls, false, explain.Hurried()
	}
	return calls, true, ""
}

// Folded is how many calls of the ranks repeat others and were left out.
func (r *Root) Folded() (calls uint64) { return r.ledger.folded() }

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
