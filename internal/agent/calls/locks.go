package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Held says that the rank may hold the lock now.
func (h *HeldLock) Held() bool {
	return h.lock.Returned() && (h.unlock == nil || !h.unlock.Returned())
}

// passiveTarget notes a lock or an unlock. These calls block for conditions that the strict view does not judge. What
// they tell their rank of what others do with a window is followed by those who follow windows.
func (c *call) passiveTarget() {
	if c.Func.Class != mpi.WinLock {
		c.fetched()
	}
	k, ok := c.lock()
	c.op.Blocking, c.op.Opaque, c.op.Silent = true, true, ok
	if !ok {
		return
	}
	c.op.Keep()
	switch c.Func.Class {
	case mpi.WinLock:
		if h := c.r.Locks[k]; h == nil || !h.Held() {
			objects.Set(&c.r.Locks, k, &HeldLock{Exclusive: c.exclusive(), lock: c.op})
		}
	case mpi.WinUnlock:
		if h := c.r.Locks[k]; h != nil {
			h.unlock = c.op
		}
	}
}

// fetches notes that what a call asks for from a window is still to come.
func (c *arguments) fetches() {
	if !c.Func.Fetches() {
		return
	}
	if k, ok := c.lock(); ok {
		objects.Set(&c.r.fetching, k, true)
	}
}

// fetched says whether the call may complete one that has asked for something from a window.
func (c *arguments) fetched() bool {
	k, ok := c.lock()
	if !ok {
		return true
	}
	came := false
	for f := range c.r.fetching {
		if f.Win == k.Win && (k.Target == op.AnySource || f.Target == k.Target) {
			delete(c.r.fetching, f)
			came = true
		}
	}
	return came
}

// exclusive says whether the call asks for an exclusive lock.
func (c *arguments) exclusive() bool {
	return c.Func.EnterAt[mpi.RLockType] >= 0 && c.Num(mpi.RLockType) == c.r.Objects.Limits.LockExclusive
}

// lock names the window and target of a passive-target call.
func (c *arguments) lock() (message.Lock, bool) {
	w := c.r.Objects.Windows[c.Word(mpi.RWin)]
	if w == nil {
		return message.Lock{}, false
	}
	k := message.Lock{Win: w.ID, Target: op.AnySource}
	if c.Func.EnterAt[mpi.RPeer] >= 0 {
		k.Target = w.Comm.World(int64(int32(c.Num(mpi.RPeer))))
	}
	return k, true
}

// TargetWait is what a call that completes one-sided operations needs beside locks: their target to see to them. It is
// false if the call is none of these, or its window is not known.
func (t *Thread) TargetWait() (waitstate.Need, bool) {
	if t.Op == nil || t.Func == nil || t.Func.Class != mpi.WinFlush {
		return waitstate.Need{}, false
	}
	c := arguments{decode.Call{Func: t.Func, Words: t.Op.First()}, t.Rank}
	k, ok := c.lock()
	return waitstate.Need{Kind: waitstate.NeedTarget, Ctx: k.Win, Rank: k.Target, Index: -1, Met: true, Free: true,
		Origin: t.Op.Origin}, ok
}

// LockWait is what the last call needs that waits for a lock or unlocks: a flush may only wait for its target to make
// progress. It is false if its window is not known.
func (t *Thread) LockWait() (waitstate.Need, bool) {
	o := t.Op
	c := arguments{decode.Call{Func: t.Func, Words: o.First()}, t.Rank}
	k, ok := c.lock()
	if !ok {
		return waitstate.Need{}, false
	}
	need := waitstate.Need{Kind: waitstate.NeedUnlock, Ctx: k.Win, Rank: k.Target, Index: -1, Origin: o.Origin}
	h := t.Rank.Locks[k]
	exclusive := h != nil && h.Exclusive || c.exclusive()
	// MPI-4.0, 12.5.3: epochs of one rank on one target are disjoint
	if h != nil && h.lock != o && h.unlock != o && h.Held() && exclusive {
		need.Kind, need.Rank = waitstate.NeedOwnUnlock, t.Rank.World
	}
	if exclusive {
		need.Tag = 1
	}
	return need, true
}
