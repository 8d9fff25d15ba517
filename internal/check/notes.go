package check

import (
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/wire"
)

// Note is what a rank's checks have to tell those of another rank, which may be at another agent. It shares nothing
// with its sender once it is sent.
type Note struct {
	To   op.Rank // world rank
	Body Body
}

// Body is what a note says. It travels as bytes.
type Body interface {
	wire.Marshaler
	// Kind is a number that no other kind of body has. It is part of what travels.
	Kind() uint64
}

// found is a wrong use that the checks of another rank found in calls of this one.
type found struct {
	code  finding.Code
	call  Past
	param int
	words Words
}

// Past is a call that a check remembers.
type Past struct {
	Fn     *mpi.Func
	Site   uint64
	Thread op.Thread
	Words  [12]uint64 // those of MPI_Rget_accumulate before its request
	N      uint8
}

// Remember keeps what a check asks of a call later on.
func Remember(c *Call) Past {
	p := Past{Fn: c.Func, Site: c.Site, Thread: c.Thread}
	p.N = uint8(copy(p.Words[:], c.Words))
	return p
}

// Made is the call as what has made something.
func (p *Past) Made() objects.Made { return objects.Made{Func: p.Fn, Site: p.Site} }

// Again is a past call of a rank, to be asked once more.
func (w *Watch) Again(r *Rank, p *Past) *Call {
	return w.Earlier(r, p.Thread, p.Fn, p.Site, p.Words[:p.N])
}

// Hear takes in what the checks of another rank had to tell.
func (w *Watch) Hear(n *Note) {
	if f, is := n.Body.(*found); is {
		if w.hooks.ranks[n.To] != nil {
			w.Tell(n.To, f.code, &f.call, f.param, func() Words { return f.words })
		}
		return
	}
	for _, do := range w.hooks.notes {
		do(w, n)
	}
}

// Locate has a note for another agent say where the calls and accesses are that it names. Where gives "" for what is
// not known here.
func (n *Note) Locate(where func(rank int, site uint64) string) {
	if f, is := n.Body.(*found); is {
		for i := range f.words.Elsewhere {
			if e := &f.words.Elsewhere[i]; e.At == "" {
				e.At = where(e.Rank, e.Site)
			}
		}
	}
}

// Tell reports a wrong use in a past call of any rank.
func (w *Watch) Tell(rank op.Rank, code finding.Code, call *Past, param int, words func() Words) {
	if !w.enabled[code] {
		return
	}
	if r := w.hooks.ranks[rank]; r != nil {
		w.Again(r, call).Say(code, param, words)
		return
	}
	w.Notes = append(w.Notes, Note{To: rank, Body: &found{code: code, call: *call, param: param, words: words()}})
}
