package agent

import (
	"unknot/internal/agent/calls"
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
			if t.Op == nil || t.Op.Returned() || t.Joins < 0 && t.ring.Returned() == t.Stamp {
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
			a.follow.SettleLast(t.Thread, t.ring.Returned(), t.ring.Polls())
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
	l, now := s.repeats.lesson, s.thread.Counts()
	moved := a.log.Repeat(s.thread.log, &log.Repetition{Period: l.log, Next: s.repeats.stream.Hand(), Times: times,
		Start: logged(l.start), Now: logged(now), Grows: logged(l.grows)})
	if moved > 0 {
		s.renumber(moved)
	}
}

// logged are those that a trace has.
func logged(c calls.Counts) log.Counts { return log.Counts{Sends: c.Sends, Choices: c.Choices} }

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
	if o := s.thread.Op; o != nil {
		for _, p := range o.Waits {
			move(p)
		}
		for _, p := range o.Posts {
			move(p)
		}
	}
}
