package waitstate

import (
	"slices"

	"unknot/internal/datatype"
	"unknot/internal/match"
	"unknot/internal/op"
)

// CutShort judges the receives from any source that a thread was waiting for when its process ended. MPI ends a process whose receive is shorter than
// its message (MPI-4.0, 3.2.4 and 9.3), and nobody is told which message that was. If none of those that the receive may have met fits, it does
// not matter: the first one is named.
func (n *Node) CutShort(t *Thread) {
	o := t.cur
	if o == nil || o.returned {
		return
	}
	for _, p := range o.Waits {
		if p.Kind != op.Recv || p.paired || p.Unclear || p.recv == nil || !p.wildcard {
			continue
		}
		q := n.queues[queueKey{p.Dst, p.Ctx}]
		if q == nil {
			continue
		}
		choices := q.Choices(p.recv)
		if f := p.Forced; f != nil { // a plan has chosen
			choices = slices.DeleteFunc(choices, func(s *match.Send) bool { return s.Src != f.Src || !fitsTag(f.Tag, s.Tag) })
		}
		fits := func(s *match.Send) bool {
			sent, _ := carriedBy(s)
			return sent.Type == nil || p.Content.Type == nil || !datatype.Overflows(sent.Type, sent.Count, p.Content.Type, p.Content.Count)
		}
		if len(choices) > 0 && !slices.ContainsFunc(choices, fits) {
			sent, from := carriedBy(choices[0])
			n.compare(sent, from, p.Content, p.calls(), p)
		}
	}
}

// carriedBy is what a message carries, and the call that has sent it.
func carriedBy(s *match.Send) (Content, Calls) {
	switch o := s.Owner.(type) {
	case *Part:
		return o.carries(), o.calls()
	case *remote:
		return o.content, Calls{o.origin, o.init}
	}
	return Content{}, Calls{}
}
