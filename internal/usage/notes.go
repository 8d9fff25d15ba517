package usage

import (
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
)

// Note is what a rank's checks have to tell those of another rank, which may be at another agent. It shares nothing with its
// sender once it is sent.
type Note struct {
	To      op.Rank // world rank
	batch   *batch
	found   *found
	opinion *opinion
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

// Hear takes in what the checks of another rank had to tell.
func (w *Watch) Hear(n *Note) {
	m := w.hooks.remote
	switch {
	case m == nil:
	case n.found != nil:
		if r := m.ranks[n.To]; r != nil {
			m.found(w, r, n.found)
		}
	case n.batch != nil:
		m.arrived(w, n.batch)
	case n.opinion != nil && m.files != nil:
		m.files.heard(w, n.opinion)
	}
}

// End says that no more calls will come: what was kept back until an epoch would be over is judged now.
func (w *Watch) End() {
	if m := w.hooks.remote; m != nil {
		m.end(w)
	}
}

// remote is what checks that concern several ranks have in common.
type remote struct {
	ranks   map[op.Rank]*Rank // of this agent
	targets targets
	windows *windows // nil if no check of windows is on
	files   *files   // nil if no check of files is on
	doubts  []doubt
	ending  bool // no more calls will come
}

// far is the room of the checks that concern several ranks.
func (h *Hooks) far() *remote {
	if h.remote == nil {
		h.remote = &remote{ranks: make(map[op.Rank]*Rank), targets: newTargets()}
	}
	return h.remote
}

// tell reports a wrong use in a past call of any rank.
func (m *remote) tell(w *Watch, rank op.Rank, code finding.Code, call *past, param int, words func() Words) {
	if !w.enabled[code] {
		return
	}
	if r := m.ranks[rank]; r != nil {
		again := w.earlier(r, call.thread, call.fn, call.site, call.words[:call.n])
		again.Say(code, param, words)
		return
	}
	w.Notes = append(w.Notes, Note{To: rank, found: &found{code: code, call: *call, param: param, words: words()}})
}

func (m *remote) found(w *Watch, r *Rank, f *found) {
	m.tell(w, op.Rank(r.World), f.code, &f.call, f.param, func() Words { return f.words })
}

func (m *remote) end(w *Watch) {
	if m.windows != nil {
		m.windows.end(w)
	}
}
