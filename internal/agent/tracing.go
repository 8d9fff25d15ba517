package agent

import (
	"unknot/internal/agent/log"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
)

// logs has what a new rank does recorded, if a trace is.
func (a *Agent) logs(r *rank) {
	if a.log != nil {
		r.log = &log.Rank{Process: &r.Process}
	}
}

// tickLog writes what a crash would lose, from time to time.
func (a *Agent) tickLog() {
	if a.log.Due(a.now) {
		a.lookReturned()
		a.log.Tick(a.now)
	}
}

// lookReturned asks the headers of the rings whether the last calls have returned: many tell it only there.
func (a *Agent) lookReturned() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if t.op == nil || t.op.Returned() || t.joins < 0 && t.ring.Returned() == t.stamp {
				a.log.Returned(t.log)
			}
		}
	}
}

// finishLog ends the trace of this agent's ranks, when all records have been read.
func (a *Agent) finishLog() {
	if a.log == nil {
		return
	}
	a.lookReturned()
	for _, r := range a.order {
		for _, t := range r.threads {
			a.settleLast(t)
		}
	}
	a.log.Finish()
}

// repeated records that a thread has gone through its period so often. It is called before the counts of the thread are
// those afterwards.
func (a *Agent) repeated(s *source, times uint32) {
	if a.log == nil {
		return
	}
	l, now := s.repeats.lesson, s.thread.counts()
	moved := a.log.Repeat(s.thread.log, &log.Repetition{Period: l.log, Next: s.repeats.stream.Hand(), Times: times,
		Start: l.start.logged(), Now: now.logged(), Grows: l.grows.logged()})
	if moved > 0 {
		s.renumber(moved)
	}
}

// logged are those that a trace has.
func (c counts) logged() log.Counts { return log.Counts{Sends: c.sends, Choices: c.choices} }

// renumber gives parts of calls of the period that are still of interest the numbers of as many parts later.
func (s *source) renumber(by uint32) {
	done := make(map[*waitstate.Part]bool)
	move := func(p *waitstate.Part) {
		if p.Traced.Part > 0 && p.Origin != nil && int32(p.Origin.Stamp-s.repeats.since) >= 0 && !done[p] {
			done[p] = true
			p.Traced.Part += by
		}
	}
	s.thread.rank.Objects.Pending(func(q *objects.Request) {
		for _, p := range q.Parts {
			move(p)
		}
	})
	if o := s.thread.op; o != nil {
		for _, p := range o.Waits {
			move(p)
		}
		for _, p := range o.Posts {
			move(p)
		}
	}
}
