package judge

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// lock is what a call needs that locks or unlocks the window of a member, or of all, or completes operations on it: that
// ranks release locks which exclude its own (MPI-4.0, 12.5.3). Which of them has the lock is not known, as libraries may
// ask for it later than the program does.
func (f *facts) lock(win *record.Comm, c *record.Call) part {
	p := part{kind: waitstate.NeedUnlock, peer: op.Unknown, root: op.Unknown}
	if win == nil || win.Identity == 0 {
		return p
	}
	members := win.Local.Ranks
	targets := members
	p.peer = op.AnySource
	first := int32(0)
	if _, one := c.Func.Param(mpi.RPeer); one {
		n := number(c, mpi.RPeer)
		if n < 0 || n >= int64(len(members)) {
			p.peer = op.Unknown
			return p
		}
		first, targets, p.peer = int32(n), members[n:n+1], op.Rank(members[n])
	}
	for i := range targets {
		holders, counted := f.holders(win, first+int32(i))
		if !counted {
			return p
		}
		p.from = append(p.from, holders...)
	}
	slices.Sort(p.from)
	p.from = slices.Compact(p.from)
	p.known, p.met, p.absent = true, len(p.from) == 0, p.from
	if p.met && c.Func.Class == mpi.WinFlush {
		p.kind = waitstate.NeedTarget
	}
	return p
}

// holders are the ranks whose locks of a member's window exclude that of this rank; false if they are not all known.
func (f *facts) holders(win *record.Comm, member int32) (ranks []op.Rank, counted bool) {
	own, counted := f.rank.Locked(win, member)
	if !counted || own == record.Unlocked {
		return nil, false
	}
	for _, m := range win.Local.Ranks {
		e, ok := f.entries[win.Identity][op.Rank(m)]
		if !ok {
			return nil, false
		}
		lock, counted := e.rank.Locked(e.comm, member)
		if !counted {
			return nil, false
		}
		if e.rank != f.rank && lock != record.Unlocked && (lock == record.Exclusive || own == record.Exclusive) {
			ranks = append(ranks, op.Rank(m))
		}
	}
	return ranks, true
}
