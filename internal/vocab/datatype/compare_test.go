package datatype

import (
	"fmt"
	"testing"
)

func TestPathsAreInWords(t *testing.T) {
	k := newKit(t)
	i, d := k.of("MPI_INT"), k.of("MPI_DOUBLE")
	record := k.must(Struct([]int64{1, 4}, []int64{0, 8}, []*Type{i, d}))
	sub := k.must(Subarray([]int64{4, 6}, []int64{2, 3}, []int64{1, 2}, false, i))
	subF := k.must(Subarray([]int64{4, 6}, []int64{2, 3}, []int64{1, 2}, true, i))
	cyclic := k.must(Darray(2, 1, []int64{7}, []int64{DistributeCyclic}, []int64{2}, []int64{2}, false,
		k.of("MPI_2INT")))
	for _, c := range []struct {
		u        *Type
		count, n int64
		want     string
	}{
		{i, 1, 0, "item 1"},
		{i, 5, 2, "item 3"},
		{i, 5, 5, ""},
		{record, 1, 0, "block 1"},
		{record, 1, 4, "block 2, element 4"},
		{record, 3, 14, "item 3, block 2, element 4"},
		{k.must(Contiguous(6, i)), 1, 4, "element 5"},
		{k.must(Contiguous(2, record)), 2, 16, "item 2, element 2, block 2, element 1"},
		{k.must(Vector(3, 1, 2, i)), 1, 1, "block 2"},
		{k.must(Vector(1, 3, 2, i)), 1, 1, "element 2"},
		{k.must(Vector(3, 2, 4, i)), 1, 3, "block 2, element 2"},
		{k.must(Indexed([]int64{2, 0, 3}, []int64{0, 5, 9}, i)), 1, 4, "block 3, element 3"},
		{k.must(IndexedBlock(2, []int64{0, 5, 9}, i)), 1, 4, "block 3, element 1"},
		{sub, 1, 0, "index [2,3]"},
		{sub, 1, 4, "index [3,4]"},
		{subF, 1, 1, "index [3,3]"},
		{cyclic, 1, 5, "index [7], part 2"},
		{k.must(Contiguous(1, k.must(Contiguous(1, i)))), 1, 0, "item 1"},
	} {
		if _, _, p := c.u.At(c.count, c.n); p.String() != c.want {
			t.Errorf("element %d: %q, want %q", c.n, p, c.want)
		}
	}
}

func TestDifferencesAreFoundAndSaid(t *testing.T) {
	k := newKit(t)
	i, d, f, b := k.of("MPI_INT"), k.of("MPI_DOUBLE"), k.of("MPI_FLOAT"), k.of("MPI_BYTE")
	packed := k.must(Predefined("MPI_PACKED", 1, 1, 1))
	record := k.must(Struct([]int64{1, 2}, []int64{0, 8}, []*Type{i, d}))
	other := k.must(Struct([]int64{1, 1, 1}, []int64{0, 8, 16}, []*Type{i, d, f}))
	for _, c := range []struct {
		what        string
		sent        *Type
		nsent       int64
		recv        *Type
		nrecv       int64
		want        string
		isTruncated bool
	}{
		{"the same", i, 3, i, 3, "", false},
		{"fewer", record, 2, record, 3, "", false},
		{"more", record, 3, record, 2, "", true},
		{"built otherwise", k.must(Contiguous(3, i)), 2, i, 6, "", false},
		{"one basic for another", d, 5, f, 9, "0: MPI_DOUBLE sent (item 1), MPI_FLOAT expected (item 1)", false},
		{"the last of a record", record, 4, other, 4,
			"2: MPI_DOUBLE sent (item 1, block 2, element 2), MPI_FLOAT expected (item 1, block 3)", false},
		{"a record against ints", record, 1, i, 3, "1: MPI_DOUBLE sent (block 2, element 1), MPI_INT expected (item 2)",
			false},
		{"bytes for ints", b, 4, i, 1, "0: MPI_BYTE sent (item 1), MPI_INT expected (item 1)", true},
		{"ints for bytes", i, 1, b, 4, "0: MPI_INT sent (item 1), MPI_BYTE expected (item 1)", false},
		{"packed for anything", packed, 16, record, 1, "", false},
		{"anything for packed", record, 1, packed, 20, "", false},
		{"too much packed", record, 1, packed, 19, "", true},
		{"nothing sent", d, 0, i, 3, "", false},
		{"a count that is wrong", d, -1, i, 3, "", false},
		{"far away", k.must(Struct([]int64{1e9, 1}, []int64{0, 8e9}, []*Type{i, d})), 1, i, 2e9,
			"1000000000: MPI_DOUBLE sent (block 2), MPI_INT expected (item 1000000001)", false},
		{"too many to count", d, 1 << 62, f, 1 << 62, "0: MPI_DOUBLE sent (item 1), MPI_FLOAT expected (item 1)",
			false},
	} {
		diff, ok := Compare(c.sent, c.nsent, c.recv, c.nrecv)
		got := ""
		if !ok {
			got = fmt.Sprintf("%d: %v sent (%v), %v expected (%v)", diff.Element, diff.Sent, diff.SentAt, diff.Expected,
				diff.ExpectedAt)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if got := Truncated(c.sent, c.nsent, c.recv, c.nrecv); got != c.isTruncated {
			t.Errorf("%s: truncated is %v", c.what, got)
		}
	}
}

// small are types of programs, each built in two ways.
func small(k kit) map[string][2]*Type {
	i, d := k.of("MPI_INT"), k.of("MPI_DOUBLE")
	record := func(n int64) *Type { return k.must(Struct([]int64{1, n, 1}, []int64{0, 8, 8 + 8*n}, []*Type{i, d, i})) }
	return map[string][2]*Type{
		"int":    {i, k.must(Dup(i))},
		"struct": {record(3), k.must(Resized(record(3), 0, 40))},
		"column": {k.must(Vector(100, 1, 100, d)), k.must(Contiguous(100, d))},
		"nested": {k.must(Vector(10, 2, 5, record(3))), k.must(Contiguous(20, record(3)))},
	}
}

func TestEqualTypesAreComparedWithoutAllocation(t *testing.T) {
	for name, pair := range small(newKit(t)) {
		if n := testing.AllocsPerRun(100, func() {
			if _, ok := Compare(pair[0], 10, pair[1], 20); !ok || pair[0].Hash(10) != pair[1].Hash(10) {
				t.Errorf("%s: the two differ", name)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	for name, pair := range small(newKit(b)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pair[0].Hash(1000)
			}
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	for name, pair := range small(newKit(b)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compare(pair[0], 10, pair[1], 20)
			}
		})
	}
}

func BenchmarkCompareDifferent(b *testing.B) {
	k := newKit(b)
	i, d := k.of("MPI_INT"), k.of("MPI_DOUBLE")
	far := k.must(Struct([]int64{1e9, 1}, []int64{0, 8e9}, []*Type{i, d}))
	b.ReportAllocs()
	for b.Loop() {
		Compare(far, 1, i, 2e9)
	}
}
