package rma

// maxSpans bounds the runs of bytes of an update that are looked at: those that follow are of the same pattern in most
// programs.
const maxSpans = 64

// phase is where the elements of an update begin in the window, modulo their extent; false if they do not all begin at
// such places, or that is not known.
func (p *spot) phase() (int64, bool) {
	l, b := &p.act.layout, p.act.basis
	spans, whole := l.Datatype.Spans(l.Count, maxSpans)
	if !whole || len(spans) == 0 {
		return 0, false
	}
	extent, at := b.Extent(), int64(-1)
	for _, s := range spans {
		n, begin := s.To-s.From, p.at+s.From
		if n%b.Size() != 0 || b.Size() != extent && n != b.Size() {
			return 0, false
		}
		begin = (begin%extent + extent) % extent
		if at >= 0 && at != begin {
			return 0, false
		}
		at = begin
	}
	return at, true
}

// apart says of two updates of elements of one predefined datatype that share bytes whether an element of one overlaps
// one of the other in part. Accumulates are atomic element by element: the outcome of those with overlapping types of
// different target displacements is undefined (MPI-4.0, 12.7.1).
func apart(p, q *spot) bool {
	if p.act.basis == nil || q.act.basis == nil || (p.at-q.at)%p.act.basis.Extent() == 0 &&
		p.act.layout.Datatype == q.act.layout.Datatype {
		return false
	}
	one, known := p.phase()
	other, also := q.phase()
	return known && also && one != other
}
