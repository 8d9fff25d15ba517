package unobserved

import (
	"fmt"
	"slices"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// story tells how a run reaches the deadlock.
func (w *words) story() *finding.Story {
	s := &finding.Story{Steps: []finding.Step{}}
	for _, m := range w.deadlock.Decisions {
		s.Steps = append(s.Steps, w.met(m))
	}
	for _, x := range w.deadlock.Exits {
		if step, differs := w.left(x); differs {
			s.Steps = append(s.Steps, step)
		}
	}
	for _, r := range w.deadlock.Held() {
		p := w.part(r)
		s.Steps = append(s.Steps,
			w.step(r, fmt.Sprintf("MPI does not buffer rank %d's message to rank %d (%s, tag %d).",
				w.rank(r.Thread), p.Peer,
				w.name(w.call(r)), p.Tag)))
	}
	w.draw(s)
	forced := w.deadlock.Plan(w.log)
	s.Forced = forced.Forced()
	return s
}

// step is a step at the call that started a part.
func (w *words) step(r exact.Ref, sentence string) finding.Step {
	t := &w.log.Threads[r.Thread]
	return finding.Step{Sentence: sentence, Rank: int(t.Rank), Thread: int(t.Index), At: w.frame(w.call(r))}
}

// met tells whom a receive meets.
func (w *words) met(m exact.Match) finding.Step {
	p := w.part(m.Recv)
	what := "receive"
	if p.Kind == op.Probe {
		what = "probe"
	}
	from := "any source"
	if p.Peer != op.AnySource {
		from = fmt.Sprintf("rank %d", p.Peer)
	}
	sender := w.rank(m.Send.Thread)
	then := ""
	switch {
	case p.Matched == op.Unknown:
	case p.Matched != sender:
		then = fmt.Sprintf(" (in the recorded run, the one from rank %d)", p.Matched)
	default:
		then = " (in the recorded run, another one from that rank)"
	}
	return w.step(m.Recv, fmt.Sprintf("Rank %d's %s %s from %s (%s) matches the message from rank %d%s.",
		w.rank(m.Recv.Thread),
		finding.Ordinal(int(p.Nth)+1), what, from, w.name(w.call(m.Recv)), sender, then))
}

// left tells which requests a call reports, if the recorded run reported others.
func (w *words) left(x exact.Exit) (finding.Step, bool) {
	t := &w.log.Threads[x.Thread]
	o := &t.Ops[x.Op]
	differs := false
	for _, wait := range t.WaitsOf(o) {
		now := slices.Contains(x.Done, exact.Ref{Thread: wait.Thread, Part: wait.Part})
		differs = differs || now != wait.Done
	}
	if !differs || len(x.Done) == 0 {
		return finding.Step{}, false
	}
	var names []string
	for _, r := range x.Done {
		names = append(names, fmt.Sprintf("%s of %s", w.name(w.call(r)), w.what(w.part(r))))
	}
	return finding.Step{Rank: int(t.Rank), Thread: int(t.Index), At: w.frame(o),
		Sentence: fmt.Sprintf("Rank %d's %s reports the %s.", t.Rank, w.name(o), finding.JoinAnd(names))}, true
}

func (w *words) what(p *trace.Part) string {
	switch p.Kind {
	case op.Send:
		return fmt.Sprintf("the message to rank %d", p.Peer)
	case op.Recv, op.Probe:
		return "the message " + source(p).Text
	case op.Coll:
		return "the collective"
	}
	return "the request"
}

// Bounds of a drawn message diagram: more is not readable.
const (
	maxLines    = 10
	maxMessages = 28
)

// draw makes the message diagram: the ranks of the core, those that the decisions concern, and what went between them
// last.
func (w *words) draw(s *finding.Story) {
	var ranks []op.Rank
	add := func(thread uint32) {
		if r := w.rank(thread); !slices.Contains(ranks, r) && len(ranks) < maxLines {
			ranks = append(ranks, r)
		}
	}
	for _, t := range w.deadlock.Core {
		add(t)
	}
	for _, m := range w.deadlock.Decisions {
		add(m.Recv.Thread)
		add(m.Send.Thread)
	}
	for _, st := range w.deadlock.Stuck {
		if slices.Contains(w.deadlock.Core, st.Thread) {
			for _, b := range st.Waits {
				for _, on := range b.On {
					add(on)
				}
			}
		}
	}
	slices.Sort(ranks)
	for _, r := range ranks {
		s.Lines = append(s.Lines, w.line(r))
	}
	var shown []exact.Match
	for _, m := range w.deadlock.Matches {
		if w.part(m.Recv).Kind == op.Recv && slices.Contains(ranks, w.rank(m.Recv.Thread)) &&
			slices.Contains(ranks, w.rank(m.Send.Thread)) {
			shown = append(shown, m)
		}
	}
	shown, s.Left = w.last(shown)
	moment := 0
	for _, m := range shown {
		s.Messages = append(s.Messages, finding.Message{From: int(w.rank(m.Send.Thread)),
			To: int(w.rank(m.Recv.Thread)), Sent: moment, Matched: moment,
			Label: fmt.Sprintf("tag %d", w.part(m.Send).Tag), Decisive: slices.Contains(w.deadlock.Decisions, m)})
		moment++
	}
	for _, st := range w.deadlock.Stuck {
		for _, b := range st.Waits {
			p := w.part(b.Part)
			if p.Kind == op.Send && slices.Contains(ranks, w.rank(b.Part.Thread)) && slices.Contains(ranks, p.Peer) {
				s.Messages = append(s.Messages, finding.Message{From: int(w.rank(b.Part.Thread)), To: int(p.Peer),
					Sent: moment, Matched: -1,
					Label: fmt.Sprintf("tag %d", p.Tag)})
				moment++
			}
		}
	}
}

// last keeps the last messages of the diagram, but no decision is left out for them.
func (w *words) last(all []exact.Match) (kept []exact.Match, left int) {
	if len(all) <= maxMessages {
		return all, 0
	}
	decisive := 0
	for _, m := range all {
		if slices.Contains(w.deadlock.Decisions, m) {
			decisive++
		}
	}
	room := max(0, maxMessages-decisive)
	plain := len(all) - decisive
	for _, m := range all {
		if slices.Contains(w.deadlock.Decisions, m) {
			kept = append(kept, m)
			continue
		}
		if plain <= room {
			kept = append(kept, m)
		} else {
			left++
		}
		plain--
	}
	return kept, left
}

func (w *words) line(rank op.Rank) finding.Line {
	for i := range w.deadlock.Stuck {
		if st := &w.deadlock.Stuck[i]; w.rank(st.Thread) == rank {
			return finding.Line{Rank: int(rank), End: w.short(st), Stuck: true}
		}
	}
	return finding.Line{Rank: int(rank), End: "finished"}
}

// Draw adds the message diagram of a run that was made to a story: of the ranks that it is about, and those that were
// decided on. All messages that receives met are in the order of time.
func Draw(s *finding.Story, l *trace.Log, ranks []int, all, decided []exact.Match) {
	d := &exact.Deadlock{Matches: all, Decisions: decided}
	w := words{log: l, deadlock: d, stuck: make(map[uint32]*exact.Stuck)}
	for i := range l.Threads {
		t := &l.Threads[i]
		if slices.Contains(ranks, int(t.Rank)) {
			d.Core = append(d.Core, uint32(i))
		}
		if len(t.Ops) == 0 {
			continue
		}
		last := len(t.Ops) - 1
		o := &t.Ops[last]
		if o.Returned || o.Final {
			continue
		}
		stuck := exact.Stuck{Thread: uint32(i), Op: uint32(last)}
		for _, x := range t.WaitsOf(o) {
			stuck.Waits = append(stuck.Waits, exact.Blocked{Part: exact.Ref{Thread: x.Thread, Part: x.Part}})
		}
		d.Stuck = append(d.Stuck, stuck)
	}
	for i := range d.Stuck {
		w.stuck[d.Stuck[i].Thread] = &d.Stuck[i]
	}
	w.draw(s)
}
