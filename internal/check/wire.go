package check

import (
	"errors"
	"fmt"
	"math"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/wire"
)

// Notes between agents on several hosts, as bytes.

// carriesFound is the kind of a note's body that any check may have.
const carriesFound uint64 = 1

// Put writes a note.
func (n *Note) Put(w *wire.Writer) {
	w.Int(int64(n.To))
	w.Uint(n.Body.Kind())
	n.Body.Put(w)
}

// Get reads a note, whose body is of one of some kinds or a wrong use that was found.
func (n *Note) Get(r *wire.Reader, kinds []Body) {
	*n = Note{To: GetRank(r)}
	kind := r.Uint()
	if kind == carriesFound {
		n.Body = &found{}
	}
	for _, b := range kinds {
		if b.Kind() == kind {
			n.Body = b
		}
	}
	if n.Body == nil {
		r.Fail(fmt.Errorf("a note has a body of kind %d, which is not known", kind))
		return
	}
	n.Body.Get(r)
}

var errNoCall = errors.New("a note is about no call")

// GetRank reads a rank, or a number of a thread.
func GetRank(r *wire.Reader) op.Rank { return op.Rank(r.Within(math.MinInt32, math.MaxInt32)) }

// GetParam reads the place of a parameter of a function, which is -1 for none.
func GetParam(r *wire.Reader, f *mpi.Func) int {
	n := 0
	if f != nil {
		n = len(f.Params)
	}
	return int(r.Within(-1, int64(n)-1))
}

// Put writes a call.
func (p *Past) Put(w *wire.Writer) {
	w.Func(p.Fn)
	w.Uint(p.Site)
	w.Int(int64(p.Thread))
	w.Uint(uint64(p.N))
	for _, v := range p.Words[:p.N] {
		w.Uint(v)
	}
}

// Get reads one.
func (p *Past) Get(r *wire.Reader) {
	if p.Fn = r.Func(); p.Fn == nil {
		r.Fail(errNoCall)
	}
	p.Site, p.Thread, p.N = r.Uint(), op.Thread(GetRank(r)), uint8(r.UpTo(uint64(len(p.Words))))
	for i := range p.Words[:p.N] {
		p.Words[i] = r.Uint()
	}
}

// Kind is that of a wrong use in a note.
func (f *found) Kind() uint64 { return carriesFound }

// Put writes what was found.
func (f *found) Put(w *wire.Writer) {
	w.Text(string(f.code))
	f.call.Put(w)
	w.Int(int64(f.param))
	f.words.put(w)
}

// Get reads it.
func (f *found) Get(r *wire.Reader) {
	f.code = finding.Code(r.Text())
	f.call.Get(r)
	f.param = GetParam(r, f.call.Fn)
	f.words.get(r)
}

func (x *Words) put(w *wire.Writer) {
	w.Text(x.Sentence.Text)
	w.Text(x.Sentence.Form)
	w.Uint(uint64(len(x.Notes)))
	for _, n := range x.Notes {
		w.Text(n.Label)
		w.Text(n.Text)
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
		w.Text(x.Elsewhere[i].At)
	}
	w.Text(string(x.Severity))
}

func (x *Words) get(r *wire.Reader) {
	x.Sentence = finding.Wording{Text: r.Text(), Form: r.Text()}
	for range r.Count(2) {
		x.Notes = append(x.Notes, finding.Note{Label: r.Text(), Text: r.Text()})
	}
	x.Hint = r.Text()
	for range r.Count(4) {
		x.Related = append(x.Related, getRelated(r))
	}
	for range r.Count(6) {
		x.Elsewhere = append(x.Elsewhere, Elsewhere{getRelated(r), int(GetRank(r)), r.Text()})
	}
	x.Severity = finding.Severity(r.Text())
}

func (x *Related) put(w *wire.Writer) {
	w.Text(x.Label)
	w.Text(x.Text)
	w.Func(x.Func)
	w.Uint(x.Site)
}

func getRelated(r *wire.Reader) Related { return Related{r.Text(), r.Text(), r.Func(), r.Uint()} }
