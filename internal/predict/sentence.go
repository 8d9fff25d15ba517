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

// sentence says what is wrong, and how it may be mended.
func (w *words) sentence(f *finding.Finding) (text, hint string) {
	when := "with other matches of the wildcard receives"
	switch {
	case !w.chosen():
		when = "if MPI does not buffer"
	case len(w.deadlock.Decisions) == 0:
		when = "if requests complete in another order"
	case len(w.deadlock.Held()) > 0:
		when = "with other matches of the wildcard receives, if MPI does not buffer"
	}
	hint = w.hint()
	if len(f.Ranks) == 1 {
		p := f.Places[0]
		return fmt.Sprintf("Rank %d would wait for ever in %s for %s, %s.", p.Rank, p.Call, w.missing(&p), when), hint
	}
	var ranks []op.Rank
	for _, r := range f.Ranks {
		ranks = append(ranks, op.Rank(r))
	}
	var parts []string
	for i := range f.Places {
		if i == 4 {
			parts = append(parts, fmt.Sprintf("%d more", len(f.Places)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("rank %d in %s", f.Places[i].Rank, f.Places[i].Call))
	}
	return fmt.Sprintf("R%s would wait for each other for ever, %s: %s.", ranksOf(ranks)[1:], when, finding.JoinAnd(parts)), hint
}

// missing is the reason of a place that waits alone, and what became of it.
func (w *words) missing(p *finding.Place) string {
	if eater := w.eater(); eater != nil {
		return p.Reason + ", which an earlier receive has taken"
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
				same := st.Thread == m.Recv.Thread && p.Kind == trace.Recv && p.Comm == s.Comm && p.Peer == w.rank(m.Send.Thread)
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
		return "a wildcard receive took a message that a later receive needs: give the messages different tags, or the earlier receive the source or tag that it means"
	}
	sends := 0
	for _, s := range w.deadlock.Stuck {
		for _, b := range s.Waits {
			if w.part(b.Part).Kind == trace.Send && slices.Contains(w.deadlock.Core, s.Thread) {
				sends++
			}
		}
	}
	switch {
	case sends > 0 && !w.chosen():
		return "let one side receive first, or use MPI_Sendrecv, or start the sends with MPI_Isend and complete them after the receives"
	case sends > 0:
		return "start the receives before the sends (MPI_Irecv), or the sends without blocking (MPI_Isend), so that no order of messages makes them wait for each other"
	}
	return "name the source or the tag where the order of messages matters"
}

// Ordinal writes 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprint(n) + end
}

// short is a stuck call in few words, for the end of a life line.
func (w *words) short(s *exact.Stuck) string {
	t := &w.log.Threads[s.Thread]
	o := &t.Ops[s.Op]
	var peers []string
	for i := range t.Posts(o) {
		switch p := &t.Posts(o)[i]; p.Kind {
		case trace.Send:
			peers = append(peers, fmt.Sprintf("to rank %d", p.Peer))
		case trace.Recv, trace.Probe:
			peers = append(peers, "from "+source(p))
		}
	}
	return strings.TrimSpace(w.name(o) + " " + strings.Join(peers, ", "))
}
