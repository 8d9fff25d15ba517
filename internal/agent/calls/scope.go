package calls

import (
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// ScopeOf is what a call of a thread belongs to. Files are left out: what works on one may take as long as it likes.
func (t *Thread) ScopeOf(c *objects.Call) message.Scope {
	r, s := t.Rank, message.Scope{Collective: Collective(c.Func)}
	if c.Stamp == t.Stamp {
		for _, q := range t.Requests {
			if q != nil && q.Comm != nil && !Collective(q.Made.Func) {
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
func (t *Thread) windowsOf(c *objects.Call) (list []op.CommID) {
	if c.Func.Class != mpi.WinCreate {
		return nil
	}
	if c.Stamp == t.Stamp && c.Comm != nil && c.Comm.Member != nil {
		seq := c.Comm.Member.Seq()
		if t.Pending.Parent != nil { // the call counts already
			seq = t.Pending.Seq
		}
		list = append(list, objects.Ident(c.Comm.ID, objects.SaltWin, seq))
	}
	for _, w := range t.Rank.Objects.Windows {
		if w.Site == c.Site {
			list = append(list, w.ID)
		}
	}
	return list
}

// Collective says whether a call is one that all members of a group make.
func Collective(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Coll, mpi.CommCreate, mpi.CommCreateGroup, mpi.IntercommCreate, mpi.CommFree, mpi.WinCreate, mpi.WinColl:
		return true
	}
	return false
}

// ScopeOfOp is what the call that a thread is in belongs to, with what it waits for.
func (t *Thread) ScopeOfOp() message.Scope {
	var s message.Scope
	if t.Func == nil {
		return s
	}
	if t.Call.Func == t.Func { // else no check is on
		s = t.ScopeOf(t.Call)
	}
	if t.Op == nil {
		return s
	}
	for _, parts := range [][]*waitstate.Part{t.Op.Posts, t.Op.Waits} {
		for _, p := range parts {
			if p.Kind == op.Coll {
				s.Contexts = append(s.Contexts, p.Member.Group.Ctx)
				continue
			}
			s.Contexts = append(s.Contexts, p.Ctx)
			s.Peers = append(s.Peers, p.Src, p.Dst)
		}
	}
	s.Peers = slices.DeleteFunc(s.Peers, func(r op.Rank) bool { return r == t.Rank.World })
	return s
}
