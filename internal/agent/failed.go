package agent

import (
	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/waitstate"
)

// A call that returns an error may or may not have taken part in its communication: MPI says nothing of it (MPI-4.0, 9.3),
// and a library that checks arguments first fails a collective on one member while the others go through it. From then on
// the order of calls on that communicator or window is not known, so neither mismatches nor what strict rules would have
// made of it are told. What hangs for good is.

// failed tells the root on which contexts a thread's call came back with an error. A send that found no receive is taken back:
// its message is not on its way. So is a receive, or it would take a later one's message; but not one that was too short for
// its message, which has taken that, and only one can be meant.
func (a *Agent) failed(t *thread) {
	o, k := t.op, &t.rank.consts
	truncated := k.errTruncate != 0 && t.failure.class == k.errTruncate
	for _, parts := range [][]*waitstate.Part{o.Posts, o.Waits} {
		for _, p := range parts {
			ctx := p.Ctx
			if p.Kind == op.Coll {
				ctx = p.Member.Group.Ctx
			}
			a.net.Send(tree.Root, message.Failed{Ctx: ctx})
		}
	}
	for _, p := range o.Posts {
		if truncated && p.Kind == op.Recv && !p.Wild && p.Tag != k.anyTag {
			continue
		}
		if (p.Kind == op.Send || p.Kind == op.Recv) && !p.Matched() {
			a.node.Cancelled(p)
			a.rec.gone(p)
		}
	}
}

// hearClash takes in that members of a collective disagree. After a failed call that is kept for the case that they hang.
func (r *root) hearClash(c waitstate.Clash) {
	if _, failed := r.failed[c.Ctx]; failed {
		if r.failed[c.Ctx] == nil {
			r.failed[c.Ctx] = &c
		}
		return
	}
	r.askClash(c)
}

// tellKept tells a clash that was kept, as the job hangs in it.
func (r *root) tellKept(ctx op.CommID) {
	if c := r.failed[ctx]; c != nil {
		r.askClash(*c)
	}
}

// afterFailure says whether a story is about calls on a context on which a call has failed.
func afterFailure(s *explain.Story, failed map[op.CommID]*waitstate.Clash) bool {
	for _, m := range s.Members {
		for i := range m.Wait.Needs {
			if _, is := failed[m.Wait.Needs[i].Ctx]; is {
				return true
			}
		}
	}
	return false
}
