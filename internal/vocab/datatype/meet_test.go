package datatype

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPartsOfOneMatrixAreToldApart has the sides and the inside of a matrix of 10^6 by 10^6 doubles, as stencil codes
// exchange them.
func TestPartsOfOneMatrixAreToldApart(t *testing.T) {
	k := newKit(t)
	const n = 1_000_000
	part := func(rows, columns, row, column int64) *Type {
		return k.must(Subarray([]int64{n, n}, []int64{rows, columns}, []int64{row, column}, false, k.of("MPI_DOUBLE")))
	}
	west, east := part(n-2, 1, 1, 0), part(n-2, 1, 1, n-1)
	north, inside := part(1, n, 0, 0), part(n-2, n-2, 1, 1)
	corner := part(2, 2, 0, 0)
	for _, c := range []struct {
		what string
		a, b *Type
		want bool
	}{
		{"west and east", west, east, false},
		{"west and north", west, north, false},
		{"west and inside", west, inside, false},
		{"north and corner", north, corner, true},
		{"west and corner", west, corner, true},
		{"inside and corner", inside, corner, true},
		{"east and corner", east, corner, false},
	} {
		if yes, sure := c.a.Overlaps(1, 4096, c.b, 1, 4096); yes != c.want || !sure {
			t.Errorf("%s: %v, sure %v", c.what, yes, sure)
		}
	}
	// One byte further, the inside meets its neighbours.
	if yes, sure := west.Overlaps(1, 4096, inside, 1, 4095); !yes || !sure {
		t.Errorf("west and inside, one byte off: %v, sure %v", yes, sure)
	}
}

func TestEffortIsBounded(t *testing.T) {
	k := newKit(t)
	// Four strides without a common measure: only trying would tell, and there are 10^12 pairs.
	knot := func(s1, s2 int64) *Type {
		return k.must(Hvector(1_000_000, 1, s1, k.must(Hvector(1_000_000, 1, s2, k.of("MPI_CHAR")))))
	}
	a, b := knot(1_000_003*14, 14*3), knot(999_983*14, 14*5)
	if yes, sure := a.Overlaps(1, 0, b, 1, 7); yes || sure {
		t.Errorf("overlap %v, sure %v", yes, sure)
	}
	if yes, sure := a.Overlaps(1, 0, b, 1, 0); !yes || !sure {
		t.Errorf("the same first byte: overlap %v, sure %v", yes, sure)
	}
}

func TestABytesSecondWriterIsSeen(t *testing.T) {
	k := newKit(t)
	c := k.of("MPI_CHAR")
	scattered := k.must(IndexedBlock(1, []int64{0, 2, 5, 7, 11}, c))
	inner := k.must(Hindexed([]int64{1, 1, 2}, []int64{16, 0, 0}, k.of("MPI_INT")))
	runs := k.must(Hindexed([]int64{1, 1, 1}, []int64{0, 16, 40}, k.of("MPI_INT")))
	blurred := k.must(Struct([]int64{1, 1}, []int64{0, 2}, []*Type{runs, runs}))
	for _, x := range []struct {
		what  string
		u     *Type
		twice bool
		spans int
	}{
		{"scattered bytes", scattered, false, 5},
		{"the first one on the last one", k.must(Hvector(2, 1, 11, scattered)), true, 9},
		{"beside it", k.must(Hvector(2, 1, 12, scattered)), false, 9},
		{"in a gap", k.must(Hvector(2, 1, 1, scattered)), false, 3},
		{"on each other in a gap", k.must(Hvector(2, 1, 2, scattered)), true, 7},
		{"between runs that overlap already", k.must(Hvector(2, 1, 8, blurred)), true, 6},
		{"in the inner type already", k.must(Hvector(2, 1, 8, inner)), true, 2},
	} {
		twice, sure := x.u.SelfOverlap(1)
		spans, whole := x.u.Spans(1, 99)
		if twice != x.twice || !sure || len(spans) != x.spans || !whole {
			t.Errorf("%s: self-overlap %v, sure %v; spans %v, whole %v", x.what, twice, sure, spans, whole)
		}
	}
}

// TestSelfOverlapIsNotGuessed has strides of which only trying shows that no two copies meet: 2^40, and 1009 and
// 1009*1013 more.
func TestSelfOverlapIsNotGuessed(t *testing.T) {
	k := newKit(t)
	knot := k.of("MPI_CHAR")
	for _, more := range []int64{0, 1009, 1009 * 1013} {
		knot = k.must(Hvector(1000, 1, 1<<40+more, knot))
	}
	if twice, sure := knot.SelfOverlap(1); twice || sure {
		t.Errorf("self-overlap %v, sure %v", twice, sure)
	}
	two := k.must(Struct([]int64{1, 1}, []int64{0, 7}, []*Type{knot, knot}))
	if twice, sure := two.SelfOverlap(1); twice || sure {
		t.Errorf("two of them: self-overlap %v, sure %v", twice, sure)
	}
	same := k.must(Struct([]int64{1, 1}, []int64{0, 0}, []*Type{knot, knot}))
	if twice, sure := same.SelfOverlap(1); !twice || !sure {
		t.Errorf("one of them twice: self-overlap %v, sure %v", twice, sure)
	}
}

func TestIrregularTypesAreMetInOrder(t *testing.T) {
	k := newKit(t)
	const n = 200_000
	random := rand.New(rand.NewPCG(1, 2))
	places := random.Perm(4 * n)
	pick := func(from, to int) []int64 {
		var list []int64
		for _, p := range places[from:to] {
			list = append(list, int64(p))
		}
		return list
	}
	a := k.must(IndexedBlock(1, pick(0, n), k.of("MPI_INT")))
	b := k.must(IndexedBlock(1, pick(n, 2*n), k.of("MPI_INT")))
	c := k.must(IndexedBlock(1, append(pick(n, 2*n), int64(places[17])), k.of("MPI_INT")))
	if yes, sure := a.Overlaps(1, 64, b, 1, 64); yes || !sure {
		t.Errorf("apart: overlap %v, sure %v", yes, sure)
	}
	if yes, sure := a.Overlaps(1, 64, c, 1, 64); !yes || !sure {
		t.Errorf("one in common: overlap %v, sure %v", yes, sure)
	}
	if twice, sure := a.SelfOverlap(1); twice || !sure {
		t.Errorf("self-overlap %v, sure %v", twice, sure)
	}
	d := k.must(IndexedBlock(1, slices.Repeat([]int64{5}, 2), k.of("MPI_INT")))
	if twice, sure := d.SelfOverlap(1); !twice || !sure {
		t.Errorf("one place twice: self-overlap %v, sure %v", twice, sure)
	}
}

func TestSpansStopAtTheLimit(t *testing.T) {
	k := newKit(t)
	column := k.must(Vector(1_000_000_000, 1, 2, k.of("MPI_INT")))
	spans, whole := column.Spans(1, 3)
	if want := []Span{{0, 4}, {8, 12}, {16, 20}}; whole || !slices.Equal(spans, want) {
		t.Errorf("%v, whole %v", spans, whole)
	}
	if spans, whole := column.Spans(0, 3); len(spans) != 0 || !whole {
		t.Errorf("nothing: %v, whole %v", spans, whole)
	}
	if from, to := column.Bounds(1 << 62); from != 0 || to < 1<<60 {
		t.Errorf("a count beyond memory: [%d, %d)", from, to)
	}
	back := k.must(Resized(column, 0, -(1 << 40)))
	if from, to := back.Bounds(1 << 40); from > -1<<60 || to != column.TrueUB() {
		t.Errorf("a count beyond memory, backwards: [%d, %d)", from, to)
	}
	// The second of the columns begins in the first gap after the first one, so it fills the other's gaps.
	if yes, sure := column.Overlaps(1<<62, 0, column, 1<<62, 4); !yes || !sure {
		t.Errorf("counts beyond memory: overlap %v, sure %v", yes, sure)
	}
}

func BenchmarkOverlaps(b *testing.B) {
	k := newKit(b)
	sizes := []int64{1000, 1000}
	west := k.must(Subarray(sizes, []int64{998, 1}, []int64{1, 0}, false, k.of("MPI_DOUBLE")))
	east := k.must(Subarray(sizes, []int64{998, 1}, []int64{1, 999}, false, k.of("MPI_DOUBLE")))
	b.ReportAllocs()
	for b.Loop() {
		west.Overlaps(1, 0, east, 1, 0)
	}
}
