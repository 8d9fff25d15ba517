package judge

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// lock is what a call needs that locks or unlocks the window of a member, or of all, or completes operations on it:
// that ranks release locks which exclude its own (MPI-4.0, 12.5.3). Who is in its call to lock has none yet. As
// libraries may ask for a lock later than the program does, there is doubt if another one is in a call that unlocks or
// completes operations, which may be the one that waits. Such calls may also take their time to move data.
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
	if p.known, p.met = true, len(p.from) == 0; p.met {
		if c.Func.Class == mpi.WinFlush {
			p.kind = waitstate.NeedTarget
		}
		return p
	}
	keep := slices.DeleteFunc(slices.Clone(p.from), func(r op.Rank) bool { return f.within(win.Identity, r, mpi.WinLock) })
	p.doubt = c.Func.Class != mpi.WinLock || len(keep) == 0 || slices.ContainsFunc(keep, func(r op.Rank) bool {
		return f.within(win.Identity, r, mpi.WinUnlock) || f.within(win.Identity, r, mpi.WinFlush)
	})
	if !p.doubt {
		p.from = keep
	}
	p.absent = p.from
	for i := range targets { // one outside of MPI may have to make a call first (MPI-4.0, 12.7.3)
		if !f.inMPI(win.Identity, op.Rank(targets[i])) {
			p.from = append(slices.Clone(p.from), op.Rank(targets[i]))
		}
	}
	return p
}

// inMPI says whether a rank is in a call.
func (f *facts) inMPI(window uint64, rank op.Rank) bool {
	return slices.ContainsFunc(f.entries[window][rank].rank.Threads, func(t record.Thread) bool { return t.In != nil })
}

// within says whether a rank is in a call of a class on a window.
func (f *facts) within(window uint64, rank op.Rank, class mpi.Class) bool {
	e := f.entries[window][rank]
	return slices.ContainsFunc(e.rank.Threads, func(t record.Thread) bool {
		return t.In != nil && t.In.Func.Class == class && on(e.rank, t.In) == e.comm
	})
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
