package datatype

import (
	"cmp"
	"slices"
)

// Span is a run of bytes relative to a buffer: From is the first, To the one behind the last.
type Span struct{ From, To int64 }

// Spans gives the bytes that count of t cover, as spans in ascending order that do not touch each other, at most limit.
// If whole is false, these are only some of them, and what else is covered is unknown.
//
// Where runs do not come in ascending order, as many more than limit are looked at as are needed to order them, but
// 65,536 at most.
func (t *Type) Spans(count int64, limit int) (list []Span, whole bool) {
	from, to := t.Bounds(count)
	if from == to {
		return nil, true
	}
	if limit <= 0 {
		return nil, false
	}
	c := t.covers(count)
	most := limit + 1
	if !c.tidy {
		most = max(most, effort)
	}
	whole = c.view().runs(func(s Span) bool {
		if n := len(list); n > 0 && list[n-1].To == s.From {
			list[n-1].To = s.To
			return true
		}
		if len(list) == most {
			return false
		}
		list = append(list, s)
		return true
	})
	if !c.tidy {
		list = merge(list)
	}
	if len(list) > limit {
		list, whole = list[:limit], false
	}
	return list, whole
}

// runs calls yield with each run, in ascending order if the cover is tidy, until that returns false.
func (v view) runs(yield func(Span) bool) bool {
	switch {
	case v.solid():
		return yield(Span{v.at, v.at + v.run})
	case v.list():
		for _, s := range v.c.list {
			if !yield(Span{v.at + s.From, v.at + s.To}) {
				return false
			}
		}
		return true
	case v.union():
		for _, p := range v.c.parts {
			if !p.view().shift(v.at).runs(yield) {
				return false
			}
		}
		return true
	}
	d, inner := v.dims[0], v.inner()
	for k := range d.n {
		if !inner.shift(k * d.stride).runs(yield) {
			return false
		}
	}
	return true
}

// merge puts spans in order and joins those that touch.
func merge(list []Span) []Span {
	slices.SortFunc(list, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	merged := list[:1]
	for _, s := range list[1:] {
		if last := &merged[len(merged)-1]; s.From <= last.To {
			last.To = max(last.To, s.To)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}
