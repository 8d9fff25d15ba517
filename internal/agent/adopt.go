package agent

import (
	"slices"

	"unknot/internal/observe/decode"
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
		r.size, r.level = ad.Hello.Size, ad.Hello.Level
		r.library, r.PID = ad.Hello.Library, ad.Ring.Of().PID
		a.know(r, &ad.Hello)
		r.above = a.processes.Above(r.PID)
		a.ranks[r.World] = r
		a.logs(r)
		a.insert(r)
	}
	if r.lost {
		ad.Ring.Refuse()
	}
	of := ad.Ring.Of()
	if of.Thread == 0 {
		r.first = ad.Ring
	}
	s := &source{ring: ad.Ring}
	s.repeats.stream.Least = a.opts.FoldAfter
	r.sources = append(r.sources, s)
	a.begin(r, s, of.TID, op.Thread(of.Thread))
}

// begin makes a ring that of a new thread.
func (a *Agent) begin(r *rank, s *source, tid int, index op.Thread) {
	next := &thread{rank: r, ring: s.ring, tid: tid, joins: -1, waiting: waiting{entered: a.now}}
	if s.thread != nil { // whose ring it was
		a.heed(s.thread)
		next.echoes = s.thread.echoes
	}
	s.thread = next
	s.thread.ws = a.node.NewThread(r.World, index)
	s.thread.log = a.log.Begin(r.log, index)
	s.thread.track = a.newTrack(r, index)
	r.threads = append(r.threads, s.thread)
}

// pass hands the ring of a thread that has ended to another one.
func (a *Agent) pass(s *source, data []uint64) {
	next := decode.ReadThread(data)
	r := s.thread.rank
	r.threads = slices.DeleteFunc(r.threads, func(t *thread) bool {
		return t.ended && t.ws.Strict() == nil && t.ring != r.first
	})
	a.begin(r, s, next.TID, next.Index)
}

func (a *Agent) insert(r *rank) {
	i := len(a.order)
	a.order = append(a.order, r)
	for i > 0 && a.order[i-1].World > r.World {
		a.order[i] = a.order[i-1]
		i--
	}
	a.order[i] = r
}
