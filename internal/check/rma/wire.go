package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/wire"
)

// Kind is that of what was done to a window.
func (b *batch) Kind() uint64 { return 0 }

// Bodies are the kinds of notes about windows, to be read into.
func Bodies() []check.Body { return []check.Body{&batch{}} }

// Put writes a batch.
func (b *batch) Put(w *wire.Writer) {
	w.Uint(b.win)
	w.Int(int64(b.from))
	w.Int(int64(b.to))
	w.Uint(uint64(b.key.kind))
	w.Uint(b.key.nth)
	w.Uint(uint64(len(b.acts)))
	for i := range b.acts {
		b.acts[i].put(w)
	}
}

// leastAct is how many bytes an act takes at least.
const leastAct = 16

// Get reads one.
func (b *batch) Get(r *wire.Reader) {
	b.win, b.from, b.to = r.Uint(), check.GetRank(r), check.GetRank(r)
	b.key = epochKey{epochKind(r.UpTo(uint64(byPost))), r.Uint()}
	b.acts = make([]act, r.Count(leastAct))
	for i := range b.acts {
		b.acts[i].get(r)
	}
}

func (a *act) put(w *wire.Writer) {
	a.call.Put(w)
	w.Uint(uint64(a.manner))
	w.Int(a.disp)
	w.Type(a.layout.Datatype)
	w.Int(a.layout.Count)
	w.Bool(a.known)
	w.Text(a.op)
	w.Type(a.basis)
	w.Int(int64(a.param))
	w.Uint(a.until)
	w.Uint(a.under.from)
	w.Uint(a.under.to)
	for _, v := range [...]bool{a.under.fresh, a.under.shared, a.under.private} {
		w.Bool(v)
	}
}

func (a *act) get(r *wire.Reader) {
	a.call.Get(r)
	a.manner, a.disp = mpi.Access(r.UpTo(uint64(mpi.Updates))), r.Int()
	if t, count := r.Type(), r.Within(0, 1<<40); t != nil {
		a.layout.Datatype, a.layout.Count = t, count
		a.layout.From, a.layout.To = t.Bounds(count)
	}
	a.known, a.op, a.basis, a.param = r.Bool(), r.Text(), r.Type(), check.GetParam(r, a.call.Fn)
	a.until = r.Uint()
	a.under = hold{from: r.Uint(), to: r.Uint(), fresh: r.Bool(), shared: r.Bool(), private: r.Bool()}
}
