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
	if !w.chosen() {
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
		p.Any = p.Any || (part.Kind == trace.Recv || part.Kind == trace.Probe) && part.Peer == op.AnySource && len(b.On) > 1
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
	case trace.Send:
		text := fmt.Sprintf("to rank %d, tag %d, %s", p.Peer, p.Tag, w.comm(p))
		if p.Bytes >= 0 {
			text += fmt.Sprintf(", %d bytes", p.Bytes)
		}
		return text
	case trace.Recv, trace.Probe:
		return fmt.Sprintf("from %s, tag %s, %s", source(p), tag(p), w.comm(p))
	case trace.Coll:
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
	case trace.Send:
		return fmt.Sprintf("rank %d to receive%s", p.Peer, started)
	case trace.Recv, trace.Probe:
		if p.Peer == op.AnySource {
			return "a message from any rank" + started
		}
		return fmt.Sprintf("a message from rank %d%s", p.Peer, started)
	case trace.Coll:
		what := "the same collective"
		if o := w.call(b.Part); o != nil {
			what = w.name(o)
		}
		return fmt.Sprintf("%s to call %s", w.ranks(b.On), what)
	}
	return ""
}

// ranks names the ranks of some threads: "rank 1", "ranks 1 and 3", "ranks 0, 2 and 5".
func (w *words) ranks(threads []uint32) string {
	var list []op.Rank
	for _, t := range threads {
		list = append(list, w.rank(t))
	}
	slices.Sort(list)
	return ranksOf(slices.Compact(list))
}

// maxNamed is how many ranks are named before the rest is counted.
const maxNamed = 8

func ranksOf(list []op.Rank) string {
	switch len(list) {
	case 0:
		return "nobody"
	case 1:
		return fmt.Sprintf("rank %d", list[0])
	}
	var names []string
	for _, r := range list[:min(len(list), maxNamed)] {
		names = append(names, fmt.Sprint(r))
	}
	if n := len(list) - maxNamed; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return "ranks " + finding.JoinAnd(names)
}
