package agent

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// advance takes in that a record with a stamp has come. Those of other threads may come late.
func (r *rank) advance(stamp uint32) {
	if ahead := int32(stamp - uint32(r.Stamped)); ahead > 0 {
		r.Stamped += uint64(ahead)
	}
}

// scopeOf is what a call of a thread belongs to. Files are left out: what works on one may take as long as it likes.
func (t *thread) scopeOf(c *check.Call) message.Scope {
	r, s := t.rank, message.Scope{Collective: collective(c.Func)}
	if c.Stamp == t.stamp {
		for _, q := range t.reqs {
			if q != nil && q.Comm != nil && !collective(q.Made.Func) {
				s.Contexts = append(s.Contexts, q.Comm.ID)
			}
		}
	}
	if c.Comm != nil && c.Comm.ID != 0 {
		s.Contexts = append(s.Contexts, op.CommID(c.Comm.ID))
	}
	if v, ok := c.Func.EnterWord(mpi.RWin, c.Words); ok {
		if w := r.Objects.Windows[uint64(v)]; w != nil {
			s.Contexts = append(s.Contexts, w.ID)
		}
	}
	s.Contexts = append(s.Contexts, t.windowsOf(c)...)
	if c.Func.Makes(mpi.OGroup) >= 0 || c.Comm != nil && c.Comm.All().Repeat() {
		s.Contexts = append(s.Contexts, objects.RepeatedID)
	}
	return s
}

// windowsOf are the windows that a call makes, or has made: if it was wrong, calls on them may not return.
func (t *thread) windowsOf(c *check.Call) (list []op.CommID) {
	if c.Func.Class != mpi.WinCreate {
		return nil
	}
	if c.Stamp == t.stamp && c.Comm != nil && c.Comm.Member != nil {
		seq := c.Comm.Member.Seq()
		if t.pending.parent != nil { // the call counts already
			seq = t.pending.seq
		}
		list = append(list, objects.Ident(c.Comm.ID, objects.SaltWin, seq))
	}
	for _, w := range t.rank.Objects.Windows {
		if w.Site == c.Site {
			list = append(list, w.ID)
		}
	}
	return list
}

// collective says whether a call is one that all members of a group make.
func collective(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Coll, mpi.CommCreate, mpi.CommCreateGroup, mpi.IntercommCreate, mpi.CommFree, mpi.WinCreate, mpi.WinColl:
		return true
	}
	return false
}

// scopeOfOp is what the call that a thread is in belongs to, with what it waits for.
func (t *thread) scopeOfOp() message.Scope {
	var s message.Scope
	if t.fn == nil {
		return s
	}
	if t.use.Func == t.fn { // else no check is on
		s = t.scopeOf(&t.use)
	}
	if t.op == nil {
		return s
	}
	for _, parts := range [][]*waitstate.Part{t.op.Posts, t.op.Waits} {
		for _, p := range parts {
			if p.Kind == op.Coll {
				s.Contexts = append(s.Contexts, p.Member.Group.Ctx)
				continue
			}
			s.Contexts = append(s.Contexts, p.Ctx)
			s.Peers = append(s.Peers, p.Src, p.Dst)
		}
	}
	s.Peers = slices.DeleteFunc(s.Peers, func(r op.Rank) bool { return r == t.rank.World })
	return s
}
