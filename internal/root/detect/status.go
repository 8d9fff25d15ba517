package detect

import (
	"time"

	"unknot/internal/agent/proto"
)

// status sends the numbers of the status line to the supervisor.
type status struct {
	*job
	out    *proto.Writer
	ledger *ledger
	last   time.Time // when they were sent last
	calls  uint64    // that the ranks had made then
}

// due sends them twice a second.
func (s *status) due() {
	if s.now.Sub(s.last) >= 500*time.Millisecond {
		s.send()
	}
}

// send sends them now.
func (s *status) send() {
	sum := s.ledger.sum()
	m := proto.Message{Type: proto.Status, Ranks: s.size, Traffic: proto.Traffic{Calls: sum.Calls, Blocked: sum.Blocked,
		Oldest: sum.Oldest, OldestRank: int(sum.Rank)}}
	if !s.last.IsZero() && m.Calls >= s.calls {
		m.Rate = float64(m.Calls-s.calls) / s.now.Sub(s.last).Seconds()
	}
	s.last, s.calls = s.now, m.Calls
	m.Held = sum.Held
	if m.Held > 0 && s.opts.HostOf != nil {
		m.Slowest = s.opts.HostOf(sum.Slowest)
	}
	if m.Held > 0 && s.opts.Watched != nil {
		for rank := range s.opts.Watched(sum.Slowest).All() {
			m.SlowestRanks = append(m.SlowestRanks, int(rank))
		}
	}
	_ = s.out.Send(m) // a supervisor that is gone is noticed by its closed pipe
}
