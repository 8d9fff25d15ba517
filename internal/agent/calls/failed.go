package calls

import (
	"maps"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A call that returns an error may or may not have taken part in its communication: MPI says nothing of it (MPI-4.0,
// 9.3), and a library that checks arguments first fails a collective on one member while the others go through it. From
// then on the order of calls on that communicator or window is not known, so neither mismatches nor what strict rules
// would have made of it are reported. What hangs for good is.

// failed tells the root on which contexts a thread's call came back with an error. A send that found no receive is
// taken back: its message is not on its way. So is a receive, or it would take a later one's message; but not one that
// was too short for its message, which has taken that, and only one can be meant.
func (a *Follower) failed(t *Thread) {
	o, k := t.Op, &t.Rank.Objects.Limits
	truncated := k.ErrTruncate != 0 && t.Failure != nil && t.Failure.Class == k.ErrTruncate
	for _, parts := range [][]*waitstate.Part{o.Posts, o.Waits} {
		for _, p := range parts {
			ctx := p.Ctx
			if p.Kind == op.Coll {
				ctx = p.Member.Group.Ctx
			}
			t.See.Unordered(ctx)
		}
	}
	maps.DeleteFunc(t.Rank.Locks, func(_ message.Lock, h *HeldLock) bool { return h.lock == o })
	for _, p := range o.Posts {
		if truncated && p.Kind == op.Recv && !p.Wild && p.Tag != op.AnyTag {
			continue
		}
		if (p.Kind == op.Send || p.Kind == op.Recv) && !p.Matched() {
			a.Node.Cancelled(p)
			t.See.Gone(p)
		}
	}
}
