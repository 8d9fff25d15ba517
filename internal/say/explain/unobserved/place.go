package unobserved

import (
	"fmt"
	"slices"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// place is the part of a stuck thread.
func (w *words) place(s *exact.Stuck) finding.Place {
	t := &w.log.Threads[s.Thread]
	o := &t.Ops[s.Op]
	p := finding.Place{
		Rank: int(t.Rank), Thread: int(t.Index), State: "blocked", Call: w.name(o), Frame: w.frame(o),
		Stack:    w.log.Stack(o.Site),
		WaitsFor: []int{}, Any: o.Any && len(s.Waits) > 1,
	}
	p.SetArgs(w.args(t, o))
	if w.unsafe() {
		p.State = "returned" // the recorded run got past it, thanks to buffering
		if !o.Returned {
			p.State = "called"
		}
	}
	var reasons []finding.Phrase
	for _, b := range s.Waits {
		for _, on := range b.On {
			p.WaitsFor = append(p.WaitsFor, int(w.rank(on)))
		}
		part := w.part(b.Part)
		p.Any = p.Any || (part.Kind == op.Recv || part.Kind == op.Probe) && part.Peer == op.AnySource && len(b.On) > 1
		reasons = append(reasons, w.reason(b, o.Started == 0))
	}
	slices.Sort(p.WaitsFor)
	p.WaitsFor = slices.Compact(p.WaitsFor)
	joint := " and "
	if o.Any {
		joint = " or "
	}
	p.SetReason(finding.JoinReasons(reasons, joint))
	return p
}

// args are the arguments of a call, in MPI terms.
func (w *words) args(t *trace.Thread, o *trace.Op) finding.Phrase {
	var all []finding.Phrase
	for i := range t.Posts(o) {
		all = append(all, w.partArgs(&t.Posts(o)[i]))
	}
	if o.Started == 0 {
		if o.Waiting == 1 {
			return finding.Plain("1 request")
		}
		return finding.Plain(fmt.Sprintf("%d requests", o.Waiting))
	}
	return finding.JoinPhrases(all, "; ")
}

func (w *words) partArgs(p *trace.Part) finding.Phrase {
	switch p.Kind {
	case op.Send:
		rest := fmt.Sprintf(", tag %d, %s", p.Tag, w.comm(p))
		if p.Bytes >= 0 {
			rest += fmt.Sprintf(", %d bytes", p.Bytes)
		}
		return finding.Naming("to ", p.Peer, rest)
	case op.Recv, op.Probe:
		return source(p).Then(finding.Plain(fmt.Sprintf(", tag %s, %s", tag(p), w.comm(p))))
	case op.Coll:
		if p.Peer >= 0 {
			return finding.Plain(fmt.Sprintf("root %d, %s", p.Peer, w.comm(p)))
		}
		return finding.Plain(w.comm(p))
	}
	return finding.Phrase{}
}

// source says whom a receive takes a message from.
func source(p *trace.Part) finding.Phrase {
	if p.Peer == op.AnySource {
		return finding.Plain("from any source")
	}
	return finding.Naming("from ", p.Peer, "")
}

func tag(p *trace.Part) string {
	if p.Tag == op.AnyTag {
		return "any"
	}
	return fmt.Sprint(p.Tag)
}

// reason says what one part of a wait needs; elsewhere says that the call which waits is not the one that started it.
func (w *words) reason(b exact.Blocked, elsewhere bool) finding.Phrase {
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
		return finding.Naming("", p.Peer, " to receive"+started)
	case op.Recv, op.Probe:
		if p.Peer == op.AnySource {
			return finding.Plain("a message from any rank" + started)
		}
		return finding.Naming("a message from ", p.Peer, started)
	case op.Coll:
		what := "the same collective"
		if o := w.call(b.Part); o != nil {
			what = w.name(o)
		}
		return w.absent(b).Then(finding.Plain(" to call " + what))
	}
	return finding.Phrase{}
}

// absent names the ranks that have not come to a collective, and says where they are: "rank 2, which has ended,",
// "ranks 1 and 3, which are in MPI_Recv, and rank 4, which is in MPI_Finalize,".
func (w *words) absent(b exact.Blocked) finding.Phrase {
	if len(b.Missing) == 0 {
		var list []op.Rank // another thread of the rank is to start it
		for _, t := range b.On {
			list = append(list, w.rank(t))
		}
		slices.Sort(list)
		return naming(slices.Compact(list), "")
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
	var parts []finding.Phrase
	for _, text := range where {
		list := at[text]
		slices.Sort(list)
		verb := "is"
		if len(list) > 1 {
			verb = "are"
		}
		after := ""
		switch text {
		case "":
		case ended:
			after = fmt.Sprintf(", which %s ended", map[string]string{"is": "has", "are": "have"}[verb])
		default:
			after = fmt.Sprintf(", which %s %s", verb, text)
		}
		parts = append(parts, naming(list, after))
	}
	switch {
	case len(parts) == 1 && where[0] == "":
		return parts[0]
	case len(parts) > 4:
		parts = append(parts[:3], finding.Plain(fmt.Sprintf("%d more", len(parts)-3)))
	}
	return finding.JoinPhrases(parts, ", and ").Then(finding.Plain(","))
}

const ended = "ended"

// whereabouts says where a rank is that has not come to a collective, given the threads that could still come; empty if
// that is not known.
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
	return finding.RanksInOrder(list, maxNamed).Text
}

// naming is a list of ranks as a phrase, and what follows it.
func naming(list []op.Rank, after string) finding.Phrase {
	if len(list) == 1 {
		return finding.Naming("", list[0], after)
	}
	return finding.Plain(ranksOf(list) + after)
}
