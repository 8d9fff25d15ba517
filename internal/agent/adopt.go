package agent

import (
	"slices"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/repeat"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
)

// adopt takes a new ring in.
func (a *Agent) adopt(ad *Adoption) {
	r := a.ranks[ad.Hello.Rank]
	if ad.Ring == nil {
		a.giveUp(r, ad.Damage)
		return
	}
	if r == nil {
		r = newRank(ad.Hello.Rank, a.processes)
		r.Size, r.level = ad.Hello.Size, ad.Hello.Level
		r.Library, r.PID = ad.Hello.Library, ad.Ring.Of().PID
		a.follow.Know(r.Rank, ad.Hello.TagUB, ad.Hello.Level)
		r.checked, r.lastSeen = a.checks.Know(r.Rank), a.now
		r.above = a.processes.Above(r.PID)
		a.ranks[r.World] = r
		a.logs(r)
		a.insert(r)
	}
	if r.Lost {
		ad.Ring.Refuse()
	}
	of := ad.Ring.Of()
	if of.Thread == 0 {
		r.first = ad.Ring
	}
	s := &source{ring: ad.Ring}
	s.repeats = a.repeats(r, s)
	r.sources = append(r.sources, s)
	a.begin(r, s, of.TID, op.Thread(of.Thread))
	if len(r.sources) == 1 {
		a.folding.Add(s.repeats, a.opts.FoldAfter)
	}
}

// repeats is a ring of a rank as the folding sees it.
func (a *Agent) repeats(r *rank, s *source) *repeat.Source {
	return &repeat.Source{
		Ring: s.ring,
		Hand: func(rec *ring.Record) {
			// Should a second thread come, its records follow on these.
			r.merge.next, r.merge.known = rec.Stamp+1, true
			a.record(s, rec)
		},
		LeftOut: func(periods, calls uint64) {
			s.thread.entered = a.now
			if s.thread.track != nil {
				s.thread.track.leftOut(periods, calls)
			}
		},
		GiveUp: func(err error) { a.giveUp(r, err) },
		Single: func() bool { return len(r.sources) == 1 && r.level <= funneled },
	}
}

// begin makes a ring that of a new thread.
func (a *Agent) begin(r *rank, s *source, tid int, index op.Thread) {
	next := &thread{rank: r, agent: a, ring: s.ring, tid: tid, waiting: waiting{entered: a.now}}
	if s.thread != nil { // whose ring it was
		a.heed(s.thread)
		next.echoes = s.thread.echoes
	}
	s.thread = next
	next.Thread = &calls.Thread{Rank: r.Rank, WS: a.node.NewThread(r.World, index), See: next, Joins: -1}
	next.checked = a.checks.Begin(r.checked, next.Thread, s.ring)
	r.Threads = append(r.Threads, next.Thread)
	next.source, s.repeats.Thread = s, next.Thread
	s.thread.log = a.log.Begin(r.log, index)
	s.repeats.Log = s.thread.log
	s.thread.track = a.newTrack(r, index)
	r.threads = append(r.threads, s.thread)
}

// pass hands the ring of a thread that has ended to another one.
func (a *Agent) pass(s *source, data []uint64) {
	next := decode.ReadThread(data)
	r := s.thread.rank
	over := func(t *thread) bool { return t.Ended && t.WS.Strict() == nil && t.ring != r.first }
	for _, t := range r.threads {
		if over(t) {
			r.checked.Remove(t.checked)
			r.Threads = slices.DeleteFunc(r.Threads, func(o *calls.Thread) bool { return o == t.Thread })
		}
	}
	r.threads = slices.DeleteFunc(r.threads, over)
	a.begin(r, s, next.TID, next.Index)
}

func (a *job) insert(r *rank) {
	i := len(a.order)
	a.order = append(a.order, r)
	for i > 0 && a.order[i-1].World > r.World {
		a.order[i] = a.order[i-1]
		i--
	}
	a.order[i] = r
}
