package datatype

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/test/testkit"
)

// thorough checks a property of 2,000 random types, and of 40,000 at night.
func thorough(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	times := 20
	if testkit.Nightly() {
		times *= 20
	}
	for range times {
		rapid.Check(t, property)
		if t.Failed() {
			return
		}
	}
}

func TestSizesAndBoundsAreThoseOfTheExpandedTypemap(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, u, w := drawType(t, leaves, 2000)
		lb, ub := w.bounds()
		trueLB, trueUB := w.trueBounds()
		got := []int64{u.Size(), u.Elements(), u.LB(), u.UB(), u.Extent(), u.TrueLB(), u.TrueUB(), u.Align()}
		want := []int64{w.size(), int64(len(w.elements)), lb, ub, ub - lb, trueLB, trueUB, w.align()}
		if !slices.Equal(got, want) {
			t.Fatalf("%s:\n got %v\nwant %v (size, elements, lb, ub, extent, true lb, true ub, alignment)",
				d, got, want)
		}
		count := rapid.Int64Range(0, 4).Draw(t, "count")
		from, to := u.Bounds(count)
		if wantFrom, wantTo := w.copies(count).trueBounds(); from != wantFrom || to != wantTo {
			t.Fatalf("%d of %s touch [%d, %d), want [%d, %d)", count, d, from, to, wantFrom, wantTo)
		}
	})
}

func TestElementsLieWhereTheExpandedTypemapHasThem(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, u, w := drawType(t, leaves, 500)
		count := rapid.Int64Range(0, 3).Draw(t, "count")
		all := w.copies(count).elements
		for i, e := range all {
			b, at, p := u.At(count, int64(i))
			if b != e.basic || at != e.at {
				t.Fatalf("element %d of %d of %s: %v at %d, want %v at %d", i, count, d, b, at, e.basic, e.at)
			}
			if basic, offset := d.follow(p); basic != e.basic || offset != e.at {
				t.Fatalf("element %d of %d of %s: path %v leads to %v at %d, want %v at %d", i, count, d, p, basic,
					offset, e.basic, e.at)
			}
		}
		if b, _, p := u.At(count, int64(len(all))); b != None || p.String() != "" {
			t.Fatalf("%s has an element %d, but only %d", d, len(all), len(all))
		}
	})
}

// follow goes along a path from the description of a type: what is there, and how far from the buffer's address.
func (d *description) follow(p Path) (Basic, int64) {
	at := (p.Steps[0].At - 1) * d.expand().extent()
	steps := p.Steps[1:]
	take := func(w Word) Step {
		s := steps[0]
		if s.Word != w {
			panic("the step is " + s.Word + ", want " + w)
		}
		steps = steps[1:]
		return s
	}
	for len(d.olds) > 0 {
		old := d.olds[0]
		ex := old.expand().extent()
		switch d.op {
		case "contiguous":
			at += (take(Element).At - 1) * ex
		case "vector", "hvector":
			stride := d.stride
			if d.op == "vector" {
				stride *= ex
			}
			at += (take(Block).At - 1) * stride
			at += (take(Element).At - 1) * ex
		case "indexed", "indexed_block":
			at += d.displacements[take(Block).At-1] * ex
			at += (take(Element).At - 1) * ex
		case "hindexed", "hindexed_block":
			at += d.displacements[take(Block).At-1]
			at += (take(Element).At - 1) * ex
		case "struct":
			b := take(Block).At - 1
			old = d.olds[b]
			at += d.displacements[b] + (take(Element).At-1)*old.expand().extent()
		case "subarray", "darray":
			s := take(Index)
			if index := slices.Clone(s.Index); !d.has(minusOne(index)) {
				panic("the index is outside of the part")
			}
			stride := ex
			for j := range d.sizes {
				i := len(d.sizes) - 1 - j
				if d.fortran {
					i = j
				}
				at += (s.Index[i] - 1) * stride
				stride *= d.sizes[i]
			}
		}
		d = old
	}
	elements := expandLeaf(d.op).elements
	e := elements[0]
	if len(elements) > 1 {
		e = elements[take(Part).At-1]
	}
	if len(steps) > 0 {
		panic("the path goes on")
	}
	return e.basic, at + e.at
}

func minusOne(a []int64) []int64 {
	for i := range a {
		a[i]--
	}
	return a
}

// drawSignatures draws two types whose signatures are alike more often than by chance: few basics, or one made of the
// other.
func drawSignatures(t *rapid.T, leaves map[string]*Type) (d, e *description) {
	g := generator{t: t, leaves: leaves, most: 300}
	d = g.draw(3)
	if rapid.Bool().Draw(t, "independent") {
		return d, g.draw(3)
	}
	e = &description{op: "struct"}
	for _, x := range d.expand().elements {
		e.lengths, e.displacements = append(e.lengths, 1), append(e.displacements, 64*int64(len(e.lengths)))
		e.olds = append(e.olds, &description{op: x.basic.String()})
	}
	if n := len(e.olds); n > 0 && rapid.Bool().Draw(t, "changed") {
		e.olds[rapid.IntRange(0, n-1).Draw(t, "where")] = &description{op: rapid.SampledFrom(names).Draw(t, "by what")}
	}
	return d, e
}

func TestHashesAreEqualIfAndOnlyIfSignaturesAre(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, e := drawSignatures(t, leaves)
		n, m := rapid.Int64Range(0, 4).Draw(t, "count"), rapid.Int64Range(0, 4).Draw(t, "count")
		a, b := d.expand().copies(n).signature(), e.expand().copies(m).signature()
		ha, hb := d.build(t, leaves).Hash(n), e.build(t, leaves).Hash(m)
		if (ha == hb) != slices.Equal(a, b) {
			t.Fatalf("%d of %s: %x, %d of %s: %x, but signatures are\n%v\n%v", n, d, ha, m, e, hb, a, b)
		}
		if (ha == 0) != (len(a) == 0) {
			t.Fatalf("%d of %s, %d elements: hash %x", n, d, len(a), ha)
		}
	})
}

func TestCompareFindsTheFirstDifference(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, e := drawSignatures(t, leaves)
		n, m := rapid.Int64Range(0, 4).Draw(t, "count"), rapid.Int64Range(0, 4).Draw(t, "count")
		a, b := d.expand().copies(n).signature(), e.expand().copies(m).signature()
		want := -1
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				want = i
				break
			}
		}
		sent, recv := d.build(t, leaves), e.build(t, leaves)
		diff, ok := Compare(sent, n, recv, m)
		if ok != (want < 0) || ok != (diff == nil) {
			t.Fatalf("%d of %s, %d of %s: ok is %v, want the difference at %d", n, d, m, e, ok, want)
		}
		if !ok {
			s, _ := d.follow(diff.SentAt)
			r, _ := e.follow(diff.ExpectedAt)
			if diff.Element != int64(want) || diff.Sent != a[want] || diff.Expected != b[want] || s != a[want] ||
				r != b[want] {
				t.Fatalf("%d of %s, %d of %s: %+v, want element %d: %v, %v", n, d, m, e, diff, want, a[want], b[want])
			}
		}
		if got := Truncated(sent, n, recv, m); got != (len(a) > len(b)) {
			t.Fatalf("%d elements sent, %d expected: truncated is %v", len(a), len(b), got)
		}
	})
}

func TestSpansAreTheBytesOfTheExpandedTypemap(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, u, w := drawType(t, leaves, 500)
		count := rapid.Int64Range(0, 4).Draw(t, "count")
		bytes := w.copies(count).bytes()
		spans, whole := u.Spans(count, 1<<20)
		if !whole {
			t.Fatalf("%d of %s: not whole", count, d)
		}
		covered := 0
		for i, s := range spans {
			if s.From >= s.To || i > 0 && s.From <= spans[i-1].To {
				t.Fatalf("%d of %s: spans %v", count, d, spans)
			}
			for b := s.From; b < s.To; b++ {
				if bytes[b] > 0 {
					covered++
				}
			}
		}
		if total := lengths(spans); covered != len(bytes) || total != int64(covered) {
			t.Fatalf("%d of %s: spans %v have %d bytes, %d of %d of the type's", count, d, spans, total,
				covered, len(bytes))
		}
		limit := rapid.IntRange(0, 6).Draw(t, "limit")
		few, whole := u.Spans(count, limit)
		if whole != (len(spans) <= limit) || !slices.Equal(few, spans[:min(limit, len(spans))]) {
			t.Fatalf("%d of %s: %v, whole %v, of %v with limit %d", count, d, few, whole, spans, limit)
		}
	})
}

func lengths(spans []Span) (n int64) {
	for _, s := range spans {
		n += s.To - s.From
	}
	return n
}

func TestOverlapsAreCommonBytesOfTheExpandedTypemaps(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, u, w := drawType(t, leaves, 200)
		e, v, x := drawType(t, leaves, 200)
		n, m := rapid.Int64Range(0, 4).Draw(t, "count"), rapid.Int64Range(0, 4).Draw(t, "count")
		at := rapid.Int64Range(-100, 100).Draw(t, "address")
		a, b := w.copies(n).bytes(), x.copies(m).bytes()
		want := false
		for i := range a {
			want = want || b[i+1000-(1000+at)] > 0
		}
		yes, sure := u.Overlaps(n, 1000, v, m, 1000+at)
		if yes != want || !sure {
			t.Fatalf("%d of %s, %d of %s %d bytes further: overlap %v, sure %v, want %v", n, d, m, e, at,
				yes, sure, want)
		}
		if again, _ := v.Overlaps(m, 1000+at, u, n, 1000); again != yes {
			t.Fatalf("%d of %s, %d of %s %d bytes further: overlap %v, but %v the other way", n, d, m, e,
				at, yes, again)
		}
	})
}

func TestSelfOverlapIsAByteThatIsThereTwice(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		d, u, w := drawType(t, leaves, 300)
		count := rapid.Int64Range(0, 4).Draw(t, "count")
		want := false
		for _, n := range w.copies(count).bytes() {
			want = want || n > 1
		}
		if twice, sure := u.SelfOverlap(count); twice != want || !sure {
			t.Fatalf("%d of %s: self-overlap %v, sure %v, want %v", count, d, twice, sure, want)
		}
	})
}

// TestCombsOfAnyStridesAreMetExactly tries vectors of two strides, whose overlap is a question about remainders.
func TestCombsOfAnyStridesAreMetExactly(t *testing.T) {
	leaves := predefined(t, Standard)
	thorough(t, func(t *rapid.T) {
		comb := func() *description {
			return &description{
				op: "hvector", n: rapid.Int64Range(1, 60).Draw(t, "count"), length: rapid.Int64Range(1, 5).Draw(t,
					"blocklength"),
				stride: rapid.Int64Range(-200, 200).Draw(t, "stride"), olds: []*description{{op: "MPI_CHAR"}},
			}
		}
		d, e := comb(), comb()
		at := rapid.Int64Range(-3000, 3000).Draw(t, "address")
		bytes := d.expand().bytes()
		want := false
		for b := range e.expand().bytes() {
			want = want || bytes[b+at] > 0
		}
		if yes, sure := d.build(t, leaves).Overlaps(1, 0, e.build(t, leaves), 1, at); yes != want || !sure {
			t.Fatalf("%s, %s %d bytes further: overlap %v, sure %v, want %v", d, e, at, yes, sure, want)
		}
	})
}
