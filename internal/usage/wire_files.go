package usage

import (
	"unknot/internal/wire"
)

// Kind is that of what a rank gave in a collective call on a file.
func (o *opinion) Kind() uint64 { return 2 }

// fileBodies are the kinds of notes about files, to be read into.
func fileBodies() []Body { return []Body{&opinion{}} }

// Put writes an opinion.
func (o *opinion) Put(w *wire.Writer) {
	w.Uint(o.key.file)
	w.Uint(o.key.nth)
	w.Int(int64(o.from))
	w.Int(int64(o.to))
	o.call.put(w)
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
	o.key, o.from, o.to = opinionKey{r.Uint(), r.Uint()}, getRank(r), getRank(r)
	o.call.get(r)
	o.n = int(r.UpTo(maxValues))
	for i := range o.values[:o.n] {
		o.values[i] = value{param: getParam(r, o.call.fn), name: r.Text(), v: r.Int(), text: r.Text()}
	}
}
