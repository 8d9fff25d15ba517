package waitstate

import "unknot/internal/vocab/op"

// Beside says that a thread is about to enter o while another one of its rank is still in its last call. Which of two
// sends or receives that threads start at a time comes first is for MPI to decide (MPI-4.0, 3.5), and the run does not
// show it: what the one carries, or has room for, may be the other's.
func (c *comparison) Beside(o *Op, other *Thread) {
	last := other.cur
	if last == nil || last.returned {
		return
	}
	for _, p := range o.Posts {
		for _, q := range last.Posts {
			if p.exchangeable(q) {
				p.Unordered, q.Unordered = true, true
			}
		}
	}
}

// exchangeable says whether the message of one part may be the other's, and whether that matters.
func (p *Part) exchangeable(q *Part) bool {
	if p.Kind != q.Kind || p.Ctx != q.Ctx {
		return false
	}
	switch p.Kind {
	case op.Send:
		if p.Dst != q.Dst || p.Tag != q.Tag {
			return false
		}
	case op.Recv:
		if p.Src != q.Src && p.Src != op.AnySource && q.Src != op.AnySource || !fitsTag(p.Tag, q.Tag) &&
			!fitsTag(q.Tag, p.Tag) {
			return false
		}
	default:
		return false
	}
	known := p.Taking == nil && q.Taking == nil && p.Content.Type != nil && q.Content.Type != nil
	return !known || !same(p.Content, q.Content)
}
