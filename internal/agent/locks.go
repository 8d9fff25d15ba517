package agent

import (
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// heldLock is a lock that a rank asked for. It may hold it from the moment that the call returned until its unlock
// returned; a library may acquire it later than that (MPI-4.0, 12.5.3).
type heldLock struct {
	exclusive    bool
	lock, unlock *waitstate.Op
}

func (h *heldLock) held() bool {
	return h.lock.Returned() && (h.unlock == nil || !h.unlock.Returned())
}

// passiveTarget notes a lock or an unlock. These calls block for conditions that the strict view does not judge.
func (c *call) passiveTarget() {
	c.op.Blocking, c.op.Opaque, c.op.Silent = true, true, c.silent()
	k, ok := c.lock()
	if !ok {
		return
	}
	c.op.Keep()
	switch c.Func.Class {
	case mpi.WinLock:
		if h := c.r.locks[k]; h == nil || !h.held() {
			objects.Set(&c.r.locks, k, &heldLock{exclusive: c.exclusive(), lock: c.op})
		}
	case mpi.WinUnlock:
		if h := c.r.locks[k]; h != nil {
			h.unlock = c.op
		}
	}
}

// fetches notes that what a call asks for from a window is still to come.
func (c *call) fetches() {
	if !c.Func.Fetches() {
		return
	}
	if k, ok := c.lock(); ok {
		objects.Set(&c.r.fetching, k, true)
	}
}

// silent says that a call of passive target synchronisation tells its rank nothing of what others do with windows: it gets a lock that
// others may have too, or completes calls that give the rank nothing. Who waits for an exclusive lock may come after somebody else for
// that reason, and who locks its own window reads it.
func (c *call) silent() bool {
	if c.Func.Class != mpi.WinLock {
		return !c.fetched()
	}
	k, ok := c.lock()
	return ok && k.Target != c.r.world && !c.exclusive()
}

// fetched says whether the call may complete one that has asked for something from a window.
func (c *call) fetched() bool {
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
func (c *call) exclusive() bool {
	return c.Func.EnterAt[mpi.RLockType] >= 0 && c.Num(mpi.RLockType) == c.r.objects.Limits.LockExclusive
}

// lock names the window and target of a passive-target call.
func (c *call) lock() (message.Lock, bool) {
	w := c.r.objects.Windows[c.Word(mpi.RWin)]
	if w == nil {
		return message.Lock{}, false
	}
	k := message.Lock{Win: w.ID, Target: op.AnySource}
	if c.Func.EnterAt[mpi.RPeer] >= 0 {
		k.Target = w.Comm.World(int64(int32(c.Num(mpi.RPeer))))
	}
	return k, true
}
