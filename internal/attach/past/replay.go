package past

import (
	"slices"

	"unknot/internal/vocab/op"
)

// replay makes the calls of all ranks once more, in the order in which each has made them. If ranks get stuck before
// the calls that have not returned, the requests that some calls complete were guessed wrongly, and others are chosen.
type replay struct {
	*job
	at      []int // by rank: the call that is next
	started map[*part]bool
	// loose says that a receive from any source may take the message of any rank, and not only of that which the rank
	// sends to next: who asks is mostly who is answered.
	loose bool
}

// plausible are the requests that each call of each rank has completed, such that the ranks reach the calls that have
// not returned.
func (j *job) plausible() []map[*call][]*start {
	r := &replay{job: j, at: make([]int, len(j.ranks)), started: make(map[*part]bool)}
	done := make([]map[*call][]*start, len(j.ranks))
	for i, one := range j.ranks {
		done[i] = one.completed()
	}
	for {
		moved := false
		for i := range j.ranks {
			for r.step(i, done[i]) {
				moved = true
			}
		}
		for i := 0; i < len(j.ranks) && !moved; i++ {
			r.loose = true
			moved = r.step(i, done[i])
			r.loose = false
		}
		if !moved && !slices.ContainsFunc(j.ranks, func(one *rank) bool { return r.other(one, done[one.number]) }) &&
			!slices.ContainsFunc(j.ranks, func(one *rank) bool { return r.without(one, done[one.number]) }) {
			return done
		}
	}
}

// answered is whom a rank sends to next, before it receives again; op.Unknown if there is nobody.
func (r *replay) answered(one *rank) op.Rank {
	for _, c := range one.calls[min(r.at[one.number]+1, len(one.calls)):] {
		for _, p := range c.parts() {
			if p.Kind == op.Recv || p.Kind == op.Coll {
				return op.Unknown
			}
			if p.Kind == op.Send {
				return p.Peer
			}
		}
	}
	return op.Unknown
}

// step has a rank make its next call, if that can be complete.
func (r *replay) step(rank int, done map[*call][]*start) bool {
	one := r.ranks[rank]
	if r.at[rank] == len(one.calls) {
		return false
	}
	c := one.calls[r.at[rank]]
	for _, p := range c.parts() {
		r.started[p] = true
	}
	if c.open || c.blocks() && !r.complete(one, c.starts) || !r.complete(one, done[c]) {
		return false
	}
	r.at[rank]++
	return true
}

// complete says whether what was started may be complete. A send may always be, as it was in the job.
func (r *replay) complete(one *rank, list []*start) bool {
	return !slices.ContainsFunc(list, func(s *start) bool {
		return slices.ContainsFunc(s.parts, func(p *part) bool {
			return p.free && !r.take(one, p) || p.kept && !r.ends(one, p)
		})
	})
}

func (r *replay) ends(one *rank, p *part) bool {
	switch {
	case p.Kind == op.Recv && p.message != nil:
		return r.started[p.message]
	case p.Kind != op.Coll || len(p.members) < len(p.comm.Members): // it has returned, so it waited for nobody
		return true
	case p.Sync == op.SyncFromRoot:
		return p.Peer < 0 || slices.ContainsFunc(p.members, func(q *part) bool { return q.rank == p.Peer && r.started[q] })
	case p.Sync == op.SyncToRoot && p.Peer != one.number:
		return true
	}
	return !slices.ContainsFunc(p.members, func(q *part) bool { return !r.started[q] })
}

// other has the call that a rank is stuck in complete other requests that are pending there; false if it is stuck for
// another reason. What was completed instead is completed where these were, or at the end.
func (r *replay) other(one *rank, done map[*call][]*start) bool {
	at := r.at[one.number]
	if at == len(one.calls) || one.calls[at].open || !one.calls[at].fn.Class.Completes() {
		return false
	}
	c := one.calls[at]
	i := slices.IndexFunc(done[c], func(s *start) bool { return !r.complete(one, []*start{s}) })
	if i < 0 {
		return false
	}
	var later *call
	free := slices.IndexFunc(one.calls[one.cut:at], func(o *call) bool {
		return !o.open && !o.blocks() && slices.ContainsFunc(o.starts, func(s *start) bool {
			if s.request != nil || !r.complete(one, []*start{s}) {
				return false
			}
			later = nil
			for k, l := range one.calls {
				if slices.Contains(done[l], s) {
					if k <= at {
						return false
					}
					later = l
				}
			}
			if later != nil {
				done[later][slices.Index(done[later], s)] = done[c][i]
			}
			done[c][i] = s
			return true
		})
	})
	if free < 0 {
		done[c] = slices.Delete(done[c], i, i+1)
	}
	return true
}

// without leaves out receives that a rank is stuck in for want of a message; false if it is stuck for another reason.
func (r *replay) without(one *rank, done map[*call][]*start) (less bool) {
	if at := r.at[one.number]; at < len(one.calls) {
		c := one.calls[at]
		for _, s := range slices.Concat(c.starts, done[c]) {
			for _, p := range s.parts {
				less, p.free = less || p.free, false
			}
		}
	}
	return less
}
