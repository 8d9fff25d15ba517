package usage

import (
	"errors"
	"math"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/wire"
)

// Notes between agents on several hosts, as bytes.

// What a note carries.
const (
	carriesBatch uint64 = iota
	carriesFound
	carriesOpinion
)

// Put writes a note.
func (n *Note) Put(w *wire.Writer) {
	w.Int(int64(n.To))
	switch {
	case n.batch != nil:
		w.Uint(carriesBatch)
		n.batch.put(w)
	case n.found != nil:
		w.Uint(carriesFound)
		n.found.put(w)
	default:
		w.Uint(carriesOpinion)
		n.opinion.put(w)
	}
}

// Get reads a note.
func (n *Note) Get(r *wire.Reader) {
	*n = Note{To: getRank(r)}
	switch r.UpTo(carriesOpinion) {
	case carriesBatch:
		n.batch = new(batch)
		n.batch.get(r)
	case carriesFound:
		n.found = new(found)
		n.found.get(r)
	case carriesOpinion:
		n.opinion = new(opinion)
		n.opinion.get(r)
	}
}

var errNoCall = errors.New("a note is about no call")

func getRank(r *wire.Reader) op.Rank { return op.Rank(r.Within(math.MinInt32, math.MaxInt32)) }

// getParam reads the place of a parameter of a function, which is -1 for none.
func getParam(r *wire.Reader, f *mpi.Func) int {
	n := 0
	if f != nil {
		n = len(f.Params)
	}
	return int(r.Within(-1, int64(n)-1))
}

func (p *past) put(w *wire.Writer) {
	w.Func(p.fn)
	w.Uint(p.site)
	w.Int(int64(p.thread))
	w.Uint(uint64(p.n))
	for _, v := range p.words[:p.n] {
		w.Uint(v)
	}
}

func (p *past) get(r *wire.Reader) {
	if p.fn = r.Func(); p.fn == nil {
		r.Fail(errNoCall)
	}
	p.site, p.thread, p.n = r.Uint(), op.Thread(getRank(r)), uint8(r.UpTo(uint64(len(p.words))))
	for i := range p.words[:p.n] {
		p.words[i] = r.Uint()
	}
}

func (b *batch) put(w *wire.Writer) {
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

func (b *batch) get(r *wire.Reader) {
	b.win, b.from, b.to = r.Uint(), getRank(r), getRank(r)
	b.key = epochKey{epochKind(r.UpTo(uint64(byPost))), r.Uint()}
	b.acts = make([]act, r.Count(leastAct))
	for i := range b.acts {
		b.acts[i].get(r)
	}
}

func (a *act) put(w *wire.Writer) {
	a.call.put(w)
	w.Uint(uint64(a.manner))
	w.Int(a.disp)
	w.Type(a.layout.datatype)
	w.Int(a.layout.count)
	w.Bool(a.known)
	w.Text(a.op)
	w.Type(a.basis)
	w.Int(int64(a.param))
	w.Uint(a.under.from)
	w.Uint(a.under.to)
	for _, v := range [...]bool{a.under.fresh, a.under.shared, a.under.private} {
		w.Bool(v)
	}
}

func (a *act) get(r *wire.Reader) {
	a.call.get(r)
	a.manner, a.disp = mpi.Access(r.UpTo(uint64(mpi.Updates))), r.Int()
	if t, count := r.Type(), r.Within(0, 1<<40); t != nil {
		a.layout.datatype, a.layout.count = t, count
		a.layout.from, a.layout.to = t.Bounds(count)
	}
	a.known, a.op, a.basis, a.param = r.Bool(), r.Text(), r.Type(), getParam(r, a.call.fn)
	a.under = hold{from: r.Uint(), to: r.Uint(), fresh: r.Bool(), shared: r.Bool(), private: r.Bool()}
}

func (o *opinion) put(w *wire.Writer) {
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

func (o *opinion) get(r *wire.Reader) {
	o.key, o.from, o.to = opinionKey{r.Uint(), r.Uint()}, getRank(r), getRank(r)
	o.call.get(r)
	o.n = int(r.UpTo(maxValues))
	for i := range o.values[:o.n] {
		o.values[i] = value{param: getParam(r, o.call.fn), name: r.Text(), v: r.Int(), text: r.Text()}
	}
}

func (f *found) put(w *wire.Writer) {
	w.Text(string(f.code))
	f.call.put(w)
	w.Int(int64(f.param))
	f.words.put(w)
}

func (f *found) get(r *wire.Reader) {
	f.code = finding.Code(r.Text())
	f.call.get(r)
	f.param = getParam(r, f.call.fn)
	f.words.get(r)
}

func (x *Words) put(w *wire.Writer) {
	w.Text(x.Sentence)
	w.Uint(uint64(len(x.Notes)))
	for _, n := range x.Notes {
		w.Text(n)
	}
	w.Text(x.Hint)
	w.Uint(uint64(len(x.Related)))
	for i := range x.Related {
		x.Related[i].put(w)
	}
	w.Uint(uint64(len(x.Elsewhere)))
	for i := range x.Elsewhere {
		x.Elsewhere[i].put(w)
		w.Int(int64(x.Elsewhere[i].Rank))
	}
	w.Text(string(x.Severity))
}

func (x *Words) get(r *wire.Reader) {
	x.Sentence = r.Text()
	for range r.Count(1) {
		x.Notes = append(x.Notes, r.Text())
	}
	x.Hint = r.Text()
	for range r.Count(3) {
		x.Related = append(x.Related, getRelated(r))
	}
	for range r.Count(4) {
		e := Elsewhere{getRelated(r), int(getRank(r))}
		if e.Func == nil {
			r.Fail(errNoCall)
		}
		x.Elsewhere = append(x.Elsewhere, e)
	}
	x.Severity = finding.Severity(r.Text())
}

func (x *Related) put(w *wire.Writer) {
	w.Text(x.Text)
	w.Func(x.Func)
	w.Uint(x.Site)
}

func getRelated(r *wire.Reader) Related { return Related{r.Text(), r.Func(), r.Uint()} }
