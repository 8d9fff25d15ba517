package waitstate

import (
	"slices"

	"unknot/internal/model/match"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// CutShort judges the receives from any source that a thread was waiting for when its process ended. MPI ends a process
// whose receive is shorter than its message (MPI-4.0, 3.2.4 and 9.3), and does not say which message that was. If none
// of those that the receive may have met fits, it does not matter: the first one is named. If it is certain that the
// message was too long, it is one of those that do not fit.
func (n *Node) CutShort(t *Thread, certain bool) {
	o := t.cur
	if o == nil || o.returned {
		return
	}
	for _, p := range o.Waits {
		if p.Kind != op.Recv || p.paired || p.Unclear || p.recv == nil || !p.wildcard {
			continue
		}
		q := n.byKey[queueKey{p.Dst, p.Ctx}]
		if q == nil {
			continue
		}
		choices := q.Choices(p.recv)
		if f := p.Forced; f != nil { // a plan has chosen
			choices = slices.DeleteFunc(choices, func(s *match.Send) bool {
				return s.Src != f.Src ||
					!fitsTag(f.Tag, s.Tag)
			})
		}
		n.cutShort(p, choices, certain && len(o.Waits) == 1)
	}
}

// cutShort judges one receive by the messages that it may have met.
func (c *comparison) cutShort(p *Part, choices []*match.Send, certain bool) {
	var long []*match.Send
	var fit, unknown []op.Rank
	for _, s := range choices {
		switch sent, _ := carriedBy(s); {
		case sent.Type == nil || p.Content.Type == nil:
			unknown = append(unknown, s.Src)
		case datatype.Overflows(sent.Type, sent.Count, p.Content.Type, p.Content.Count):
			long = append(long, s)
		default:
			fit = append(fit, s.Src)
		}
	}
	if len(long) == 0 || len(unknown) > 0 || len(fit) > 0 && !certain {
		return
	}
	sent, from := carriedBy(long[0])
	before := len(c.Misfits)
	c.compare(sent, from, p.Content, p.calls(), p)
	if len(c.Misfits) == before {
		return
	}
	m := &c.Misfits[before]
	m.Fit = fit
	for _, s := range long[1:] {
		m.Long = append(m.Long, s.Src)
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
