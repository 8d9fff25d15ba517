package datatype

import "math/bits"

// view is a cover, or one copy of what is inside of its outer dimensions.
type view struct {
	c    *cover
	dims []dim // those that are left
	at   int64
	run  int64 // that of the base, or of one in its list
}

func (c *cover) view() view { return view{c, c.dims, c.at, c.run} }

func (v view) shift(by int64) view {
	v.at += by
	return v
}

// hull gives the first byte and the one behind the last.
func (v view) hull() (lo, hi int64) {
	lo, hi = v.at, v.at+v.run
	if v.run == 0 {
		lo, hi = v.c.base()
		lo, hi = lo+v.at-v.c.at, hi+v.at-v.c.at
	}
	for _, d := range v.dims {
		hi += (d.n - 1) * d.stride
	}
	return lo, hi
}

// inner is the first copy along the outermost dimension.
func (v view) inner() view { return view{v.c, v.dims[1:], v.at, v.run} }

func (v view) solid() bool { return len(v.dims) == 0 && v.run > 0 }

// list says whether v is a list of runs without dimensions around it, and union whether it is such a union.
func (v view) list() bool  { return len(v.dims) == 0 && v.run == 0 && v.c.list != nil }
func (v view) union() bool { return len(v.dims) == 0 && v.run == 0 && v.c.parts != nil }

// meeting looks for a byte that two sets have in common, with so many steps left.
type meeting struct {
	left int
	cut  bool // steps ran out, so that a no means nothing
}

// meet says whether a and b have a byte in common.
func (m *meeting) meet(a, b view) bool {
	if m.cut {
		return false
	}
	if m.left--; m.left < 0 {
		m.cut = true
		return false
	}
	alo, ahi := a.hull()
	blo, bhi := b.hull()
	switch {
	case ahi <= blo || bhi <= alo:
		return false
	case alo == blo || ahi == bhi:
		return true // the ends of a hull are always covered
	case a.solid() && b.solid(), a.solid() && alo <= blo && bhi <= ahi, b.solid() && blo <= alo && ahi <= bhi:
		return true
	case a.union():
		return m.parts(a, b, blo, bhi)
	case b.union():
		return m.parts(b, a, alo, ahi)
	case a.list() && b.list():
		return m.walk(a, b)
	case a.list() && len(b.dims) == 0:
		return len(a.c.between(blo-a.at, bhi-a.at)) > 0
	case b.list() && len(a.dims) == 0:
		return len(b.c.between(alo-b.at, ahi-b.at)) > 0
	case len(a.dims) == 0:
		return m.peel(b, a)
	case len(b.dims) == 0:
		return m.peel(a, b)
	case a.dims[0].stride == b.dims[0].stride:
		return m.abreast(a, b)
	case len(a.dims) == 1 && len(b.dims) == 1 && a.run > 0 && b.run > 0:
		return combsMeet(a, b)
	}
	af, at := a.copies(blo, bhi)
	bf, bt := b.copies(alo, ahi)
	if at-af <= bt-bf {
		return m.peel(a, b)
	}
	return m.peel(b, a)
}

// parts meets those parts of the union u that lie within [lo, hi), the hull of v, with v.
func (m *meeting) parts(u, v view, lo, hi int64) bool {
	from, to := u.c.within(lo-u.at, hi-u.at)
	for _, p := range u.c.parts[from:to] {
		if m.meet(p.view().shift(u.at), v) {
			return true
		}
	}
	return false
}

// walk goes along two lists at once. Its steps are short: 64 count as one.
func (m *meeting) walk(a, b view) bool {
	alo, ahi := a.hull()
	blo, bhi := b.hull()
	as, bs := a.c.between(blo-a.at, bhi-a.at), b.c.between(alo-b.at, ahi-b.at)
	m.left -= (len(as) + len(bs)) / 64
	by := b.at - a.at
	for len(as) > 0 && len(bs) > 0 {
		switch {
		case as[0].To <= bs[0].From+by:
			as = as[1:]
		case bs[0].To+by <= as[0].From:
			bs = bs[1:]
		default:
			return true
		}
	}
	return false
}

// copies gives the copies along the outermost dimension whose hulls meet [lo, hi): from and up to.
func (v view) copies(lo, hi int64) (from, to int64) {
	d := v.dims[0]
	l, h := v.inner().hull()
	return max(0, floorDiv(lo-h, d.stride)+1), min(d.n, ceilDiv(hi-l, d.stride))
}

// peel meets each copy along a's outermost dimension with b.
func (m *meeting) peel(a, b view) bool {
	from, to := a.copies(b.hull())
	inner, stride := a.inner(), a.dims[0].stride
	for k := from; k < to && !m.cut; k++ {
		if m.meet(inner.shift(k*stride), b) {
			return true
		}
	}
	return false
}

// abreast meets a and b, whose outermost dimensions have one stride: copies i and j lie to each other as i-j says.
func (m *meeting) abreast(a, b view) bool {
	stride := a.dims[0].stride
	alo, ahi := a.inner().hull()
	blo, bhi := b.inner().hull()
	from := max(1-b.dims[0].n, floorDiv(blo-ahi, stride)+1)
	to := min(a.dims[0].n-1, ceilDiv(bhi-alo, stride)-1)
	for k := from; k <= to && !m.cut; k++ {
		if m.meet(a.inner().shift(k*stride), b.inner()) {
			return true
		}
	}
	return false
}

// combsMeet meets two runs that are repeated in one dimension each, with different strides s and t. Copy i of a and
// copy j of b have a byte in common if j*t lies in a window [w + i*s, w + i*s + width]. If the window of some i
// contains the first or the last j*t, that is one. Of the others, those between the two are left: there, j exists if a
// multiple of t is in the window.
func combsMeet(a, b view) bool {
	s, t := a.dims[0].stride, b.dims[0].stride
	n, end := a.dims[0].n, (b.dims[0].n-1)*t
	w := a.at - b.at - b.run + 1
	width := a.run + b.run - 2
	// contains says whether the window of some i does.
	contains := func(x int64) bool {
		i := max(0, ceilDiv(x-width-w, s))
		return i < n && w+i*s <= x
	}
	if contains(0) || contains(end) {
		return true
	}
	from := max(0, floorDiv(-w, s)+1)
	to := min(n, ceilDiv(end-width-w, s)) // up to
	if from >= to {
		return false
	}
	// The window of i contains a multiple of t if its end is at most width behind one.
	return anyResidueBelow(to-from, t, s, w+from*s+width, width)
}

// anyResidueBelow says whether (c + i*a) modulo m is at most most for some i from 0 up to n: the sums of floor((c +
// i*a)/m) and of floor((c + i*a - most - 1)/m) differ if so, by one or more for each such i.
func anyResidueBelow(n, m, a, c, most int64) bool {
	residue := func(x int64) uint64 { return uint64(x - floorDiv(x, m)*m) }
	// Both sums begin with residues instead of c itself, which changes each term by a known number.
	low := c - most - 1
	sum := floorSum(uint64(n), uint64(m), uint64(a), residue(c)) + uint64(n)*uint64(floorDiv(c, m))
	sum -= floorSum(uint64(n), uint64(m), uint64(a), residue(low)) + uint64(n)*uint64(floorDiv(low, m))
	return sum != 0
}

// floorSum is the sum of floor((a*i + b)/m) for i from 0 up to n, modulo 2^64, in logarithmic time: the lattice points
// under a line, which are counted by Euclid's algorithm.
func floorSum(n, m, a, b uint64) uint64 {
	sum := uint64(0)
	for {
		if a >= m {
			pairs := n / 2 * (n - 1)
			if n&1 == 1 {
				pairs = (n - 1) / 2 * n
			}
			sum += pairs * (a / m)
			a %= m
		}
		if b >= m {
			sum += n * (b / m)
			b %= m
		}
		high, low := bits.Mul64(a, n)
		low, carry := bits.Add64(low, b, 0)
		high += carry
		if high == 0 && low < m {
			return sum
		}
		n, b = bits.Div64(high, low, m)
		m, a = a, m
	}
}

// Overlaps says whether two buffers share a byte: count of t at an address, and ucount of u at another.
//
// It is exact without much ado for repetitions in any number of dimensions with strides that the two have in common,
// and for two of one dimension with any strides. Otherwise copies are tried one by one, 65,536 steps at most, which
// take some milliseconds; if they do not suffice and no common byte was found, sure is false. Irregular types are
// compared run by run, 64 to a step.
func (t *Type) Overlaps(count, at int64, u *Type, ucount, uat int64) (yes, sure bool) {
	from, to := t.Bounds(count)
	ufrom, uto := u.Bounds(ucount)
	if from == to || ufrom == uto || at+to <= uat+ufrom || uat+uto <= at+from {
		return false, true
	}
	m := meeting{left: effort}
	a, b := t.covers(count), u.covers(ucount)
	yes = m.meet(a.view().shift(at), b.view().shift(uat))
	return yes, yes || !m.cut
}

// SelfOverlap says whether a receive of count of t would write a byte twice (MPI-4.0, 5.1.11). The effort is bounded
// as that of Overlaps, at 8,192 steps for each node of the type; sure is false where that did not suffice.
func (t *Type) SelfOverlap(count int64) (twice, sure bool) {
	c := t.covers(count)
	if c == nil {
		return false, true
	}
	return c.twice == yes, c.twice != unknown
}
