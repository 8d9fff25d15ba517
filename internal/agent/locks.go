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
	c.op.Blocking, c.op.Opaque = true, true
	k, ok := c.lock()
	if !ok {
		return
	}
	c.op.Keep()
	switch c.Func.Class {
	case mpi.WinLock:
		exclusive := c.Func.EnterAt[mpi.RLockType] >= 0 && c.Num(mpi.RLockType) == c.r.objects.Limits.LockExclusive
		objects.Set(&c.r.locks, k, &heldLock{exclusive: exclusive, lock: c.op})
	case mpi.WinUnlock:
		if h := c.r.locks[k]; h != nil {
			h.unlock = c.op
		}
	}
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
