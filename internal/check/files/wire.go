package files

import (
	"unknot/internal/check"
	"unknot/internal/vocab/wire"
)

// Kind is that of what a rank gave in a collective call on a file.
func (o *opinion) Kind() uint64 { return 2 }

// Bodies are the kinds of notes about files, to be read into.
func Bodies() []check.Body { return []check.Body{&opinion{}} }

// Put writes an opinion.
func (o *opinion) Put(w *wire.Writer) {
	w.Uint(o.key.file)
	w.Uint(o.key.nth)
	w.Int(int64(o.from))
	w.Int(int64(o.to))
	o.call.Put(w)
	w.Uint(uint64(o.n))
	for _, v := range o.values[:o.n] {
		w.Int(int64(v.param))
		w.Text(v.name)
		w.Int(v.v)
		w.Text(v.text)
	}
}

// Get reads one.
func (o *opinion) Get(r *wire.Reader) {
	o.key, o.from, o.to = opinionKey{r.Uint(), r.Uint()}, check.GetRank(r), check.GetRank(r)
	o.call.Get(r)
	o.n = int(r.UpTo(maxValues))
	for i := range o.values[:o.n] {
		o.values[i] = value{param: check.GetParam(r, o.call.Fn), name: r.Text(), v: r.Int(), text: r.Text()}
	}
}
