package usage

import (
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/wire"
)

// Note is what a rank's checks have to tell those of another rank, which may be at another agent. It shares nothing with its
// sender once it is sent.
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
	call  past
	param int
	words Words
}

// past is a call that a check remembers.
type past struct {
	fn     *mpi.Func
	site   uint64
	thread op.Thread
	words  [12]uint64 // those of MPI_Rget_accumulate before its request
	n      uint8
}

func remember(c *Call) past {
	p := past{fn: c.Func, site: c.Site, thread: c.Thread}
	p.n = uint8(copy(p.words[:], c.Words))
	return p
}

func (p *past) made() objects.Made { return objects.Made{Func: p.fn, Site: p.site} }

// again is a past call of a rank, to be asked once more.
func (w *Watch) again(r *Rank, p *past) *Call {
	return w.Earlier(r, p.thread, p.fn, p.site, p.words[:p.n])
}

// Hear takes in what the checks of another rank had to tell.
func (w *Watch) Hear(n *Note) {
	if f, is := n.Body.(*found); is {
		if w.hooks.ranks[n.To] != nil {
			w.tell(n.To, f.code, &f.call, f.param, func() Words { return f.words })
		}
		return
	}
	for _, do := range w.hooks.notes {
		do(w, n)
	}
}

// tell reports a wrong use in a past call of any rank.
func (w *Watch) tell(rank op.Rank, code finding.Code, call *past, param int, words func() Words) {
	if !w.enabled[code] {
		return
	}
	if r := w.hooks.ranks[rank]; r != nil {
		w.again(r, call).Say(code, param, words)
		return
	}
	w.Notes = append(w.Notes, Note{To: rank, Body: &found{code: code, call: *call, param: param, words: words()}})
}
