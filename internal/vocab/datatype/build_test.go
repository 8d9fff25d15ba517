package datatype

import (
	"math"
	"testing"
)

func TestWrongArgumentsAreSaidInASentence(t *testing.T) {
	k := newKit(t)
	i := k.of("MPI_INT")
	one, two := []int64{1}, []int64{1, 2}
	none, block, cyclic := []int64{DistributeNone}, []int64{DistributeBlock}, []int64{DistributeCyclic}
	standard := []int64{DefaultDarg}
	darray := func(size, rank int64, gsizes, distribs, dargs, psizes []int64) error {
		_, err := Darray(size, rank, gsizes, distribs, dargs, psizes, false, i)
		return err
	}
	err := func(_ *Type, err error) error { return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{err(Predefined("MPI_LB", 4, 4, 4)), "MPI_LB is not a predefined datatype of MPI-4.0"},
		{err(Predefined("MPI_INT", 0, 4, 4)), "MPI_INT cannot have size 0, extent 4 and alignment 4"},
		{err(Predefined("MPI_DOUBLE_INT", 4, 4, 4)), "MPI_DOUBLE_INT cannot have size 4"},
		{err(Predefined("MPI_DOUBLE_INT", 14, 14, 8)), "MPI_DOUBLE_INT cannot have size 14 and extent 14"},
		{err(Contiguous(-1, i)), "count is -1, but must not be negative"},
		{err(Contiguous(1, nil)), "oldtype is not a known datatype"},
		{err(Contiguous(math.MaxInt64, i)), errFar.Error()},
		{err(Vector(-2, 1, 1, i)), "count is -2, but must not be negative"},
		{err(Vector(2, -1, 1, i)), "blocklength is -1, but must not be negative"},
		{err(Vector(2, 1, math.MaxInt64, i)), errFar.Error()},
		{err(Hvector(2, -1, 1, i)), "blocklength is -1, but must not be negative"},
		{err(Hvector(2, 1, math.MinInt64, i)), errFar.Error()},
		{err(Hvector(3, 1, 1<<59, i)), errFar.Error()},
		{err(Hvector(9, 1, 1<<59, i)), errFar.Error()},
		{err(Indexed([]int64{1 << 60, 1 << 60}, two, k.must(Contiguous(0, i)))), errFar.Error()},
		{err(Indexed(two, one, i)), "there are 2 blocklengths, but 1 displacements"},
		{err(Indexed([]int64{1, -4}, two, i)), "array_of_blocklengths[1] is -4, but must not be negative"},
		{err(Indexed(one, []int64{math.MinInt64}, i)), errFar.Error()},
		{err(Indexed(one, one, nil)), "oldtype is not a known datatype"},
		{err(Hindexed(one, []int64{math.MaxInt64}, i)), errFar.Error()},
		{err(Hindexed(one, two, i)), "there are 1 blocklengths, but 2 displacements"},
		{err(IndexedBlock(-1, one, i)), "blocklength is -1, but must not be negative"},
		{err(IndexedBlock(1, []int64{1 << 60}, i)), errFar.Error()},
		{err(HindexedBlock(-1, one, i)), "blocklength is -1, but must not be negative"},
		{err(Struct(two, two, []*Type{i})), "there are 2 blocklengths, but 1 types"},
		{err(Struct(two, one, []*Type{i, i})), "there are 2 blocklengths, but 1 displacements"},
		{err(Struct(two, two, []*Type{i, nil})), "array_of_types[1] is not a known datatype"},
		{err(Resized(nil, 0, 0)), "oldtype is not a known datatype"},
		{err(Resized(i, math.MinInt64, 0)), errFar.Error()},
		{err(Dup(nil)), "oldtype is not a known datatype"},
		{err(Subarray(nil, nil, nil, false, i)), "ndims is 0, but an array has at least one dimension"},
		{err(Subarray(one, one, one, false, nil)), "oldtype is not a known datatype"},
		{err(Subarray(two, one, one, false, i)), "there are 2 sizes, 1 subsizes and 1 starts"},
		{err(Subarray([]int64{0}, one, one, false, i)), "array_of_sizes[0] is 0, but must be at least 1"},
		{err(Subarray(one, []int64{0}, one, false, i)),
			"array_of_subsizes[0] is 0, but must be between 1 and the size, 1"},
		{err(Subarray([]int64{9, 5}, []int64{9, 3}, []int64{0, 3}, false, i)),
			"array_of_starts[1] is 3, but must be between 0 and 2, as 3 of 5 are taken"},
		{err(Subarray([]int64{1 << 40, 1 << 40}, two, []int64{0, 0}, false, i)), errFar.Error()},
		{err(Subarray([]int64{1 << 40, 1 << 40}, []int64{1 << 40, 1 << 40}, []int64{0, 0}, false,
			k.must(Resized(i, 0, 0)))),
			errFar.Error()},
		{err(Darray(1, 0, one, none, standard, one, false, nil)), "oldtype is not a known datatype"},
		{darray(1, 0, nil, nil, nil, nil), "ndims is 0, but an array has at least one dimension"},
		{darray(1, 0, one, none, standard, two), "there are 1 gsizes, 1 distribs, 1 dargs and 2 psizes"},
		{darray(0, 0, one, none, standard, one), "size is 0, but must be at least 1"},
		{darray(2, 2, one, none, standard, one), "rank is 2, but must be between 0 and 1"},
		{darray(1, 0, one, none, standard, []int64{0}), "array_of_psizes[0] is 0, but must be at least 1"},
		{darray(3, 0, one, none, standard, one), "the product of array_of_psizes is 1, but size is 3"},
		{darray(1, 0, []int64{0}, none, standard, one), "array_of_gsizes[0] is 0, but must be at least 1"},
		{darray(2, 0, one, none, standard, []int64{2}),
			"array_of_psizes[0] is 2, but must be 1, as that dimension is not distributed"},
		{darray(1, 0, one, []int64{7}, standard, one),
			"array_of_distribs[0] is not MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE"},
		{darray(1, 0, one, cyclic, []int64{0}, one), "array_of_dargs[0] is 0, but must be at least 1"},
		{darray(2, 0, []int64{9}, block, []int64{4}, []int64{2}),
			"array_of_dargs[0] is 4: 2 blocks of that size do not hold the dimension's 9 elements"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.err, c.want)
		}
	}
}

func TestATypeOfABillionBlocksCostsNothing(t *testing.T) {
	k := newKit(t)
	const n = 1_000_000_000
	var column *Type
	if allocations := testing.AllocsPerRun(10, func() {
		column = k.must(Vector(n, 1, 3, k.of("MPI_DOUBLE")))
	}); allocations > 50 {
		t.Errorf("%v allocations", allocations)
	}
	if column.Size() != 8*n || column.Elements() != n || column.Extent() != 24*n-16 {
		t.Errorf("size %d, elements %d, extent %d", column.Size(), column.Elements(), column.Extent())
	}
	matrix := k.must(Contiguous(3, k.must(Resized(column, 0, 8))))
	if spans, whole := matrix.Spans(1, 9); !whole || len(spans) != 1 || spans[0] != (Span{0, 24 * n}) {
		t.Errorf("a matrix made of its columns covers %v, whole %v", spans, whole)
	}
	if twice, sure := matrix.SelfOverlap(1); twice || !sure {
		t.Errorf("a matrix made of its columns overlaps itself: %v, sure %v", twice, sure)
	}
	if _, at, p := matrix.At(1, 2*n+7); at != 16+24*7 || p.String() != "element 3, block 8" {
		t.Errorf("%s at %d", p, at)
	}
}

func TestAbsoluteTypesAreThoseOfAddresses(t *testing.T) {
	k := newKit(t)
	i := k.of("MPI_INT")
	const heap, stack = 0x5555_5000_0000, 0x7fff_ffff_0000
	particles := k.must(Struct([]int64{2, 1}, []int64{stack, heap}, []*Type{i, k.of("MPI_DOUBLE")}))
	big := []int64{2000, 2000}
	for _, c := range []struct {
		what string
		u    *Type
		want bool
	}{
		{"addresses", particles, true},
		{"a copy", k.must(Contiguous(2, particles)), true},
		{"addresses as an inner type", k.must(Struct([]int64{1, 1}, []int64{0, heap}, []*Type{particles, i})), true},
		{"the address of a global variable", k.must(Hindexed([]int64{1}, []int64{0x404040}, i)), true},
		{"a C struct", k.must(Struct([]int64{1, 1}, []int64{0, 8}, []*Type{i, i})), false},
		{"one block relative", k.must(Struct([]int64{1, 1}, []int64{0, heap}, []*Type{i, i})), false},
		{"an empty block at 0", k.must(Struct([]int64{0, 1}, []int64{0, heap}, []*Type{i, i})), true},
		{"the last row of a large matrix", k.must(Subarray(big, []int64{1, 2000}, []int64{1999, 0}, false, i)), false},
		{"far elements", k.must(Indexed([]int64{1}, []int64{1 << 22}, i)), false},
		{"nothing", k.must(Hindexed([]int64{0}, []int64{heap}, i)), false},
	} {
		if c.u.Absolute() != c.want {
			t.Errorf("%s: absolute is %v", c.what, c.u.Absolute())
		}
	}
}

func TestBoundsFollowTheRulesOfTheLibrary(t *testing.T) {
	for _, c := range []struct {
		rules        Rules
		odd, resized [2]int64 // lb and extent
	}{
		{Standard, [2]int64{0, 12}, [2]int64{-4, 12}},
		{OpenMPI, [2]int64{0, 12}, [2]int64{-4, 12}},
		{MPICH, [2]int64{0, 9}, [2]int64{-4, 28}},
	} {
		k := kit{t, predefined(t, c.rules)}
		i := k.of("MPI_INT")
		odd := k.must(Hindexed([]int64{1, 1}, []int64{0, 5}, i))
		mixed := k.must(Struct([]int64{1, 1}, []int64{0, 20}, []*Type{k.must(Resized(i, -4, 12)), i}))
		got := [2][2]int64{{odd.LB(), odd.Extent()}, {mixed.LB(), mixed.Extent()}}
		if got != [2][2]int64{c.odd, c.resized} {
			t.Errorf("rules %d: %v, want %v and %v", c.rules, got, c.odd, c.resized)
		}
	}
}
