package agent

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// take handles one record of a thread.
func (a *follower) take(t *thread, rec *ring.Record) {
	words := rec.Words
	switch rec.Kind {
	case ring.Enter:
		a.calls++
		t.entered = a.now
		f := a.table.ByID(rec.Func)
		if f != nil && (f.Asks || isPoll(f)) {
			a.idles++
		}
		if f == nil || f.Class == mpi.Opaque {
			a.countPassed(t, rec.Func, f, rec.Site)
		}
		a.enter(t, f, rec.Stamp, rec.Site, words)
		t.forget()
	case ring.Exit:
		t.left = t.stamp
		if f := a.table.ByID(rec.Func); f != nil && f == t.fn {
			t.gave = true
			a.exit(t, f, int32(rec.Site), words)
			a.endCall(t, f, int32(rec.Site) != 0, rec.Stamp, words)
		}
	case ring.Data:
		a.data(t, ring.DataID(rec.Func), rec.Site, words)
	}
}

// join notes that a thread waits for the end of another one of its process.
func (a *follower) join(t *thread, other op.Thread) {
	a.settle(t)
	t.joins = other
	o := waitstate.NewOp()
	o.Blocking, o.Opaque = true, true
	t.op = o
	a.log.Join(t.log, o)
	a.node.Enter(t.ws, o)
}
