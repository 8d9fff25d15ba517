package predict

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/op"
	"unknot/internal/predict/exact"
	"unknot/internal/trace"
)

// place is the part of a stuck thread.
func (w *words) place(s *exact.Stuck) finding.Place {
	t := &w.log.Threads[s.Thread]
	o := &t.Ops[s.Op]
	p := finding.Place{
		Rank: int(t.Rank), Thread: int(t.Index), State: "blocked", Call: w.name(o), Frame: w.frame(o), Args: w.args(t, o),
		WaitsFor: []int{}, Any: o.Any && len(s.Waits) > 1,
	}
	if w.unsafe() {
		p.State = "returned" // the recorded run got past it, thanks to buffering
		if !o.Returned {
			p.State = "called"
		}
	}
	var reasons []string
	for _, b := range s.Waits {
		for _, on := range b.On {
			p.WaitsFor = append(p.WaitsFor, int(w.rank(on)))
		}
		part := w.part(b.Part)
		p.Any = p.Any || (part.Kind == op.Recv || part.Kind == op.Probe) && part.Peer == op.AnySource && len(b.On) > 1
		if r := w.reason(b, o.Started == 0); !slices.Contains(reasons, r) {
			reasons = append(reasons, r)
		}
	}
	slices.Sort(p.WaitsFor)
	p.WaitsFor = slices.Compact(p.WaitsFor)
	if len(reasons) > 4 {
		reasons = append(reasons[:3], fmt.Sprintf("%d more", len(reasons)-3))
	}
	joint := " and "
	if o.Any {
		joint = " or "
	}
	p.Reason = strings.Join(reasons, joint)
	return p
}

// args are the arguments of a call, in MPI terms.
func (w *words) args(t *trace.Thread, o *trace.Op) string {
	var all []string
	for i := range t.Posts(o) {
		all = append(all, w.partArgs(&t.Posts(o)[i]))
	}
	if o.Started == 0 {
		if o.Waiting == 1 {
			return "1 request"
		}
		return fmt.Sprintf("%d requests", o.Waiting)
	}
	return strings.Join(all, "; ")
}

func (w *words) partArgs(p *trace.Part) string {
	switch p.Kind {
	case op.Send:
		text := fmt.Sprintf("to rank %d, tag %d, %s", p.Peer, p.Tag, w.comm(p))
		if p.Bytes >= 0 {
			text += fmt.Sprintf(", %d bytes", p.Bytes)
		}
		return text
	case op.Recv, op.Probe:
		return fmt.Sprintf("from %s, tag %s, %s", source(p), tag(p), w.comm(p))
	case op.Coll:
		if p.Peer >= 0 {
			return fmt.Sprintf("root %d, %s", p.Peer, w.comm(p))
		}
		return w.comm(p)
	}
	return ""
}

func source(p *trace.Part) string {
	if p.Peer == op.AnySource {
		return "any source"
	}
	return fmt.Sprintf("rank %d", p.Peer)
}

func tag(p *trace.Part) string {
	if p.Tag == op.AnyTag {
		return "any"
	}
	return fmt.Sprint(p.Tag)
}

// reason says what one part of a wait needs; elsewhere says that the call which waits is not the one that started it.
func (w *words) reason(b exact.Blocked, elsewhere bool) string {
	p := w.part(b.Part)
	started := ""
	if o := w.call(b.Part); elsewhere && o != nil {
		started = " (" + w.name(o)
		if f := w.frame(o); f.Line > 0 {
			started += fmt.Sprintf(" at line %d", f.Line)
		}
		started += ")"
	}
	switch p.Kind {
	case op.Send:
		return fmt.Sprintf("rank %d to receive%s", p.Peer, started)
	case op.Recv, op.Probe:
		if p.Peer == op.AnySource {
			return "a message from any rank" + started
		}
		return fmt.Sprintf("a message from rank %d%s", p.Peer, started)
	case op.Coll:
		what := "the same collective"
		if o := w.call(b.Part); o != nil {
			what = w.name(o)
		}
		return fmt.Sprintf("%s to call %s", w.absent(b), what)
	}
	return ""
}

// absent names the ranks that have not come to a collective, and says where they are: "rank 2, which has ended,", "ranks 1 and 3,
// which are in MPI_Recv, and rank 4, which is in MPI_Finalize,".
func (w *words) absent(b exact.Blocked) string {
	if len(b.Missing) == 0 {
		var list []op.Rank // another thread of the rank is to start it
		for _, t := range b.On {
			list = append(list, w.rank(t))
		}
		slices.Sort(list)
		return ranksOf(slices.Compact(list))
	}
	var where []string
	at := make(map[string][]op.Rank)
	for _, r := range b.Missing {
		text := w.whereabouts(r, b.On)
		if len(at[text]) == 0 {
			where = append(where, text)
		}
		at[text] = append(at[text], r)
	}
	var parts []string
	for _, text := range where {
		part, list := "", at[text]
		slices.Sort(list)
		verb := "is"
		if len(list) > 1 {
			verb = "are"
		}
		switch text {
		case "":
			part = ranksOf(list)
		case ended:
			part = fmt.Sprintf("%s, which %s ended", ranksOf(list), map[string]string{"is": "has", "are": "have"}[verb])
		default:
			part = fmt.Sprintf("%s, which %s %s", ranksOf(list), verb, text)
		}
		parts = append(parts, part)
	}
	switch {
	case len(parts) == 1 && where[0] == "":
		return parts[0]
	case len(parts) > 4:
		parts = append(parts[:3], fmt.Sprintf("%d more", len(parts)-3))
	}
	return strings.Join(parts, ", and ") + ","
}

const ended = "ended"

// whereabouts says where a rank is that has not come to a collective, given the threads that could still come; empty if that
// is not known.
func (w *words) whereabouts(r op.Rank, alive []uint32) string {
	text := ended
	for _, t := range alive {
		if w.rank(t) != r {
			continue
		}
		s := w.stuck[t]
		if s == nil {
			return ""
		}
		text = "in " + w.name(&w.log.Threads[t].Ops[s.Op])
	}
	if text != ended {
		return text
	}
	for i := range w.log.Threads {
		if t := &w.log.Threads[i]; t.Rank == r && slices.ContainsFunc(t.Ops, func(o trace.Op) bool { return o.Final }) {
			return "in MPI_Finalize"
		}
	}
	return text
}

// maxNamed is how many ranks are named before the rest is counted.
const maxNamed = 8

func ranksOf(list []op.Rank) string {
	if len(list) == 0 {
		return "nobody"
	}
	return finding.RanksInOrder(list, maxNamed)
}
