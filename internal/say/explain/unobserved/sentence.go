package unobserved

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/predict/exact"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// sentence says what is wrong, and how it may be fixed.
func (w *words) sentence(f *finding.Finding) (text, hint string) {
	when := w.when()
	would := "would"
	if !w.deadlock.Certain {
		would = "may"
	}
	hint = w.hint()
	if len(f.Ranks) == 1 {
		p := f.Places[0]
		return fmt.Sprintf("Rank %d %s wait forever in %s for %s%s.", p.Rank, would, p.Call,
			strings.TrimSuffix(w.missing(&p), ","), when), hint
	}
	var ranks []op.Rank
	for _, r := range f.Ranks {
		ranks = append(ranks, op.Rank(r))
	}
	if calls := w.calls(f); len(calls) == 1 && w.apart() {
		return fmt.Sprintf("R%s %s wait forever in %s for %s%s.", ranksOf(ranks)[1:], would, calls[0],
			f.Places[0].Reason, when), hint
	}
	var parts []string
	for i := range f.Places {
		if i == 4 {
			parts = append(parts, fmt.Sprintf("%d more", len(f.Places)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("rank %d in %s", f.Places[i].Rank, f.Places[i].Call))
	}
	return fmt.Sprintf("R%s %s wait for each other forever%s: %s.", ranksOf(ranks)[1:], would, when,
		finding.JoinAnd(parts)), hint
}

// when says what brings the deadlock about, after a comma.
func (w *words) when() string {
	text := ""
	switch {
	case len(w.deadlock.Decisions) > 0 && w.recorded():
		text = ", with other matches of the wildcard receives"
	case len(w.deadlock.Decisions) > 0:
		text = ", with some matches of the wildcard receives"
	case w.reported():
		text = ", if requests complete in another order"
	}
	held, together := len(w.deadlock.Held()) > 0, len(w.deadlock.Together()) > 0
	switch {
	case held && together:
		text += ", if MPI does not buffer and collectives wait for all their members"
	case held:
		text += ", if MPI does not buffer"
	case together:
		text += ", if collectives wait for all their members"
	case text == "":
		text = ", whatever MPI buffers"
	}
	return text
}

// recorded says whether it is known of a decision what the recorded run did instead.
func (w *words) recorded() bool {
	return slices.ContainsFunc(w.deadlock.Decisions, func(m exact.Match) bool { return w.part(m.Recv).Matched >= 0 })
}

// calls are the names of the calls of a finding, each once.
func (w *words) calls(f *finding.Finding) []string {
	var list []string
	for i := range f.Places {
		list = append(list, f.Places[i].Call)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// apart says whether no member of the core waits for another: they were gathered, as they wait for the same.
func (w *words) apart() bool {
	for _, t := range w.deadlock.Core {
		for _, b := range w.stuck[t].Waits {
			if slices.ContainsFunc(b.On, func(on uint32) bool { return slices.Contains(w.deadlock.Core, on) }) ||
				len(b.Missing) == 0 {
				return false
			}
		}
	}
	return true
}

// missing is the reason of a place that waits alone, and what became of it.
func (w *words) missing(p *finding.Place) string {
	if eater := w.eater(); eater != nil {
		return p.Reason + ", which an earlier receive took"
	}
	return p.Reason
}

// eater is the decision that gave away a message which a stuck receive needs; nil if there is none.
func (w *words) eater() *exact.Match {
	for i := range w.deadlock.Decisions {
		m := &w.deadlock.Decisions[i]
		s := w.part(m.Send)
		for _, st := range w.deadlock.Stuck {
			for _, b := range st.Waits {
				p := w.part(b.Part)
				same := st.Thread == m.Recv.Thread && p.Kind == op.Recv && p.Comm == s.Comm &&
					p.Peer == w.rank(m.Send.Thread)
				if same && (p.Tag == op.AnyTag || p.Tag == s.Tag) && slices.Contains(w.deadlock.Core, st.Thread) {
					return m
				}
			}
		}
	}
	return nil
}

func (w *words) hint() string {
	if m := w.eater(); m != nil {
		return "a wildcard receive took a message that a later receive needs: give the messages different tags, or " +
			"name the source or tag in the earlier receive"
	}
	sends := 0
	for _, s := range w.deadlock.Stuck {
		for _, b := range s.Waits {
			if w.part(b.Part).Kind == op.Send && slices.Contains(w.deadlock.Core, s.Thread) {
				sends++
			}
		}
	}
	switch {
	case sends == 0 && !w.chosen() && len(w.stuck[w.deadlock.Core[0]].Waits) > 0 &&
		len(w.stuck[w.deadlock.Core[0]].Waits[0].Missing) > 0:
		return "make every rank of the communicator call the same collectives in the same order"
	case sends == 0 && !w.chosen() && len(w.deadlock.Core) > 1:
		return "let one of them send first, or post non-blocking receives (MPI_Irecv) and wait for them after the sends"
	case sends == 0 && !w.chosen():
		return "check what should be sent, and when: source, tag and communicator of a receive must match a message " +
			"that some rank can send by then"
	case sends > 0 && !w.chosen():
		return "let one side receive first, or use MPI_Sendrecv, or start the sends with MPI_Isend and complete them " +
			"after the receives"
	case sends > 0:
		return "post the receives before the sends (MPI_Irecv), or use non-blocking sends (MPI_Isend), so that no " +
			"message order makes them wait for each other"
	}
	return "name the source or the tag where the order of messages matters"
}

// short is a stuck call in few words, for the end of a life line.
func (w *words) short(s *exact.Stuck) string {
	t := &w.log.Threads[s.Thread]
	o := &t.Ops[s.Op]
	var peers []string
	for i := range t.Posts(o) {
		switch p := &t.Posts(o)[i]; p.Kind {
		case op.Send:
			peers = append(peers, fmt.Sprintf("to rank %d", p.Peer))
		case op.Recv, op.Probe:
			peers = append(peers, source(p).Text)
		}
	}
	return strings.TrimSpace(w.name(o) + " " + strings.Join(peers, ", "))
}
