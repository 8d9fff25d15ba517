package repeat

import (
	"unknot/internal/agent/calls"
	"unknot/internal/agent/log"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
)

// repeated records that a thread has gone through its period so often. It is called before the counts of the thread are
// those afterwards.
func (fd *Folding) repeated(s *Source, times uint32) {
	if fd.Log == nil {
		return
	}
	l, now := s.summary, s.Thread.Counts()
	moved := fd.Log.Repeat(s.Log, &log.Repetition{Period: l.log, Next: s.stream.Hand(), Times: times,
		Start: logged(l.start), Now: logged(now), Grows: logged(l.grows)})
	if moved > 0 {
		s.renumber(moved)
	}
}

// logged are those that a trace has.
func logged(c calls.Counts) log.Counts { return log.Counts{Sends: c.Sends, Choices: c.Choices} }

// renumber gives parts of calls of the period that are still of interest the numbers of as many parts later.
func (s *Source) renumber(by uint32) {
	done := make(map[*waitstate.Part]bool)
	move := func(p *waitstate.Part) {
		if p.Traced.Part > 0 && p.Origin != nil && int32(p.Origin.Stamp-s.since) >= 0 && !done[p] {
			done[p] = true
			p.Traced.Part += by
		}
	}
	s.Thread.Rank.Objects.Pending(func(q *objects.Request) {
		for _, p := range q.Parts {
			move(p)
		}
	})
	if o := s.Thread.Op; o != nil {
		for _, p := range o.Waits {
			move(p)
		}
		for _, p := range o.Posts {
			move(p)
		}
	}
}
