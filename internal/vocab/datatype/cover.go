package datatype

import (
	"cmp"
	"slices"
	"sort"
)

// cover is a set of bytes: a base that is repeated in several dimensions. The base is a run of bytes, a list of runs or
// a union of covers. nil is the empty set. A cover is immutable.
//
// Since a set has no order, dimensions are kept with the longest stride first and no stride is negative; and what can
// be said with fewer dimensions is: a matrix made of its columns is one run.
type cover struct {
	at     int64 // where the base's first copy is
	dims   []dim
	run    int64    // the base is [0, run); 0 for a list and a union
	list   []Span   // of a list, in ascending order, not touching each other
	parts  []*cover // of a union, by lo
	far    []int64  // of a union: the greatest hi of the parts up to each
	lo, hi int64    // of all copies
	tidy   bool     // runs follow each other in ascending order
	twice  answer   // whether a byte is there more than once
}

type dim struct{ n, stride int64 }

// answer is yes, no, or that too much effort would be needed to know.
type answer uint8

const (
	no answer = iota
	yes
	unknown
)

func (a answer) or(b answer) answer {
	if a == yes || b == yes {
		return yes
	}
	return max(a, b)
}

// What answers may cost, in steps of some nanoseconds each: those that are asked for, and those about a type that is
// made.
const (
	effort       = 1 << 16
	makingEffort = 1 << 13
)

const (
	fewParts = 16 // so few that a repetition of them is given as a union of repetitions
	fewRuns  = 4  // so few that they are separate parts
)

// solid is the cover of n bytes.
func solid(at, n int64) *cover {
	return &cover{at: at, run: n, lo: at, hi: at + n, tidy: true}
}

// base gives the hull of the first copy of the base.
func (c *cover) base() (lo, hi int64) {
	switch {
	case c.run > 0:
		return c.at, c.at + c.run
	case c.list != nil:
		return c.at + c.list[0].From, c.at + c.list[len(c.list)-1].To
	}
	return c.at + c.parts[0].lo, c.at + c.far[len(c.far)-1]
}

// shift gives the set moved by some bytes.
func (c *cover) shift(by int64) *cover {
	if c == nil || by == 0 {
		return c
	}
	moved := *c
	moved.at += by
	moved.lo += by
	moved.hi += by
	return &moved
}

// covers is what count of t cover. Copies beyond farthest are left out.
func (t *Type) covers(count int64) *cover {
	if extent := magnitude(t.Extent()); extent > 0 {
		count = min(count, int64(farthest/extent)+1)
	}
	return repeat(t.cover, count, t.Extent())
}

// covered is what copies of c along axes cover.
func covered(c *cover, start int64, axes []axis) *cover {
	for _, a := range slices.Backward(axes) {
		whole := repeat(repeat(c, min(a.block, a.n), a.step), a.n/a.block, a.jump)
		rest := repeat(c, a.n%a.block, a.step).shift(a.n / a.block * a.jump)
		c = union([]*cover{whole, rest}, nil)
	}
	return c.shift(start)
}

// repeat gives n copies of c, a stride apart.
func repeat(c *cover, n, stride int64) *cover {
	if c == nil || n <= 0 {
		return nil
	}
	if n == 1 {
		return c
	}
	if stride < 0 {
		c, stride = c.shift((n-1)*stride), -stride
	}
	if lo, hi := c.base(); len(c.parts) > 0 && len(c.parts) <= fewParts && stride < hi-lo {
		return c.spread(dim{n, stride})
	}
	grown := *c
	grown.dims = make([]dim, 0, len(c.dims)+1)
	grown.dims = append(append(grown.dims, c.dims...), dim{n, stride})
	return grown.settle()
}

// spread gives the repetition of a union as a union of repetitions.
func (c *cover) spread(d dim) *cover {
	parts := make([]*cover, len(c.parts))
	for i, p := range c.parts {
		p = p.shift(c.at)
		for _, e := range append(slices.Clone(c.dims), d) {
			p = repeat(p, e.n, e.stride)
		}
		parts[i] = p
	}
	all := union(parts, nil)
	all.twice = all.twice.or(c.twice) // all is not shared yet
	return all
}

// settle brings a cover with new dimensions, which it may change, into its normal form.
func (c *cover) settle() *cover {
	slices.SortStableFunc(c.dims, func(a, b dim) int { return cmp.Compare(b.stride, a.stride) })
	for c.simplify() {
	}
	c.lo, c.hi = c.base()
	c.tidy = true
	if c.parts != nil {
		c.tidy = c.tidyParts()
	}
	for i := len(c.dims) - 1; i >= 0; i-- {
		d := c.dims[i]
		width := c.hi - c.lo
		if d.stride < width {
			c.tidy = false
			c.twice = c.twice.or(c.meetsItself(i, width))
		}
		c.hi += (d.n - 1) * d.stride
	}
	return c
}

// simplify drops one dimension, if it can be expressed by another or by the run.
func (c *cover) simplify() bool {
	last := len(c.dims) - 1
	if last < 0 {
		return false
	}
	if d := c.dims[last]; d.stride == 0 {
		c.twice = yes
		c.dims = c.dims[:last]
		return true
	}
	if d := c.dims[last]; d.stride <= c.run {
		if d.stride < c.run {
			c.twice = yes
		}
		c.run += (d.n - 1) * d.stride
		c.dims = c.dims[:last]
		return true
	}
	for i := range last {
		outer, inner := c.dims[i], c.dims[i+1]
		if outer.stride%inner.stride != 0 || outer.stride/inner.stride > inner.n {
			continue
		}
		step := outer.stride / inner.stride
		if step < inner.n {
			c.twice = yes
		}
		c.dims[i+1].n = (outer.n-1)*step + inner.n
		c.dims = slices.Delete(c.dims, i, i+1)
		return true
	}
	return false
}

// meetsItself says whether copies along dimension i of what is inside of it, of some width, have a byte in common.
func (c *cover) meetsItself(i int, width int64) answer {
	if c.twice == yes {
		return yes
	}
	d := c.dims[i]
	inner := view{c, c.dims[i+1:], c.at, c.run}
	m := meeting{left: makingEffort}
	for k := int64(1); k < d.n && k*d.stride < width; k++ {
		if m.meet(inner, inner.shift(k*d.stride)) {
			return yes
		}
		if m.cut {
			return unknown
		}
	}
	return no
}

func (c *cover) tidyParts() bool {
	for i, p := range c.parts {
		if !p.tidy || i > 0 && p.lo < c.far[i-1] {
			return false
		}
	}
	return true
}

// union gives the bytes of all parts, any of which may be empty, and of all runs, which are in no order. It takes both
// over.
func union(parts []*cover, runs []Span) *cover {
	c := &cover{}
	var flat []*cover
	for _, p := range parts {
		switch {
		case p == nil:
			continue
		case len(p.parts) > 0 && len(p.dims) == 0 && len(p.parts) <= fewParts:
			for _, q := range p.parts {
				flat = append(flat, q.shift(p.at))
			}
		default:
			flat = append(flat, p)
		}
		c.twice = c.twice.or(p.twice)
	}
	flat = append(flat, listed(runs)...)
	if len(flat) == 0 {
		return nil
	}
	slices.SortStableFunc(flat, func(a, b *cover) int { return cmp.Compare(a.lo, b.lo) })
	c.gather(flat)
	if len(c.parts) == 1 {
		only := *c.parts[0]
		only.twice = only.twice.or(c.twice)
		return &only
	}
	c.lo, c.hi = c.parts[0].lo, c.far[len(c.far)-1]
	c.tidy = c.tidyParts()
	return c
}

// listed gives runs as few covers: one each, if there are few, else a repetition or a list. It takes runs over.
func listed(runs []Span) []*cover {
	if len(runs) == 0 {
		return nil
	}
	total := int64(0)
	for _, r := range runs {
		total += r.To - r.From
	}
	runs = merge(runs)
	twice := no
	for _, r := range runs {
		total -= r.To - r.From
	}
	if total > 0 {
		twice = yes
	}
	if c := even(runs); c != nil {
		c.twice = twice
		return []*cover{c}
	}
	if len(runs) > fewRuns {
		// Merged runs are fewer than there were.
		runs = slices.Clip(slices.Clone(runs))
		return []*cover{{list: runs, lo: runs[0].From, hi: runs[len(runs)-1].To, tidy: true, twice: twice}}
	}
	list := make([]*cover, len(runs))
	for i, r := range runs {
		list[i] = solid(r.From, r.To-r.From)
		list[i].twice = twice
	}
	return list
}

// even gives runs of one length at one distance as a repetition, else nil.
func even(runs []Span) *cover {
	first := runs[0]
	c := solid(first.From, first.To-first.From)
	if len(runs) == 1 {
		return c
	}
	stride := runs[1].From - first.From
	for i, r := range runs {
		if r.To-r.From != c.run || r.From != first.From+int64(i)*stride {
			return nil
		}
	}
	return repeat(c, int64(len(runs)), stride)
}

// gather makes flat, which is in order, c's parts: runs that touch become one.
func (c *cover) gather(flat []*cover) {
	m := meeting{left: makingEffort}
	last := -1 // the last part that is a run
	for _, p := range flat {
		if c.twice = c.twice.or(p.twice); c.twice != yes {
			c.twice = c.twice.or(c.meets(p, &m))
		}
		n := len(c.parts)
		if p.solid() && last >= 0 && p.lo <= c.parts[last].hi {
			q := *c.parts[last]
			q.hi = max(q.hi, p.hi)
			q.run = q.hi - q.lo
			c.parts[last] = &q
			for i := last; i < n; i++ {
				c.far[i] = max(c.far[i], q.hi)
			}
			continue
		}
		if p.solid() {
			last = n
		}
		far := p.hi
		if n > 0 {
			far = max(far, c.far[n-1])
		}
		c.parts, c.far = append(c.parts, p), append(c.far, far)
	}
}

// meets says whether p, which begins after all parts of c do, has a byte in common with one of them.
func (c *cover) meets(p *cover, m *meeting) answer {
	for i := len(c.parts) - 1; i >= 0 && c.far[i] > p.lo; i-- {
		if m.meet(c.parts[i].view(), p.view()) {
			return yes
		}
		if m.cut {
			return unknown
		}
	}
	return no
}

func (c *cover) solid() bool { return len(c.dims) == 0 && c.run > 0 }

// within gives the parts of a union, from and up to, whose hulls may meet [lo, hi), relative to the union's base.
func (c *cover) within(lo, hi int64) (from, to int) {
	from = sort.Search(len(c.far), func(i int) bool { return c.far[i] > lo })
	to = sort.Search(len(c.parts), func(i int) bool { return c.parts[i].lo >= hi })
	return from, to
}

// between gives the runs of a list that meet [lo, hi), relative to its base.
func (c *cover) between(lo, hi int64) []Span {
	from := sort.Search(len(c.list), func(i int) bool { return c.list[i].To > lo })
	to := sort.Search(len(c.list), func(i int) bool { return c.list[i].From >= hi })
	return c.list[from:max(from, to)]
}
