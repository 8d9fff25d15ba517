package datatype

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// description says how a type is made: it is built by this package, expanded by the twin, and written for MPI.
type description struct {
	op                     string // a constructor, or the name of a predefined type
	n, length, stride      int64  // also lb and extent
	lengths, displacements []int64
	sizes, subs, starts    []int64 // of arrays: also gsizes, psizes
	distribs, dargs        []int64
	size, rank             int64
	fortran                bool
	olds                   []*description
}

// layout is what the MPI library says of a predefined type.
type layout struct{ size, extent, align int64 }

// layouts are those of both libraries on x86-64.
var layouts = map[string]layout{
	"MPI_CHAR": {1, 1, 1}, "MPI_SHORT": {2, 2, 2}, "MPI_INT": {4, 4, 4}, "MPI_LONG": {8, 8, 8},
	"MPI_FLOAT": {4, 4, 4}, "MPI_DOUBLE": {8, 8, 8}, "MPI_LONG_DOUBLE": {16, 16, 16}, "MPI_BYTE": {1, 1, 1},
	"MPI_C_DOUBLE_COMPLEX": {16, 16, 8}, "MPI_FLOAT_INT": {8, 8, 4}, "MPI_DOUBLE_INT": {12, 16, 8},
	"MPI_SHORT_INT": {6, 8, 4}, "MPI_2INT": {8, 8, 4}, "MPI_LONG_DOUBLE_INT": {20, 32, 16},
}

var names = []string{
	"MPI_INT", "MPI_INT", "MPI_DOUBLE", "MPI_CHAR", "MPI_SHORT", "MPI_LONG", "MPI_FLOAT", "MPI_LONG_DOUBLE", "MPI_BYTE",
	"MPI_C_DOUBLE_COMPLEX", "MPI_FLOAT_INT", "MPI_DOUBLE_INT", "MPI_SHORT_INT", "MPI_2INT", "MPI_LONG_DOUBLE_INT",
}

// predefined makes one Type of each predefined type, as there is one handle of each.
func predefined(tb rapid.TB, r Rules) map[string]*Type {
	types := map[string]*Type{}
	for name, l := range layouts {
		t, err := r.Predefined(name, l.size, l.extent, l.align)
		if err != nil {
			tb.Fatal(err)
		}
		types[name] = t
	}
	return types
}

// build makes the type.
func (d *description) build(tb rapid.TB, leaves map[string]*Type) *Type {
	var olds []*Type
	for _, o := range d.olds {
		olds = append(olds, o.build(tb, leaves))
	}
	t, err := d.make(leaves, olds)
	if err != nil {
		tb.Fatalf("%s: %v", d, err)
	}
	return t
}

func (d *description) make(leaves map[string]*Type, olds []*Type) (*Type, error) {
	switch d.op {
	case "contiguous":
		return Contiguous(d.n, olds[0])
	case "vector":
		return Vector(d.n, d.length, d.stride, olds[0])
	case "hvector":
		return Hvector(d.n, d.length, d.stride, olds[0])
	case "indexed":
		return Indexed(d.lengths, d.displacements, olds[0])
	case "hindexed":
		return Hindexed(d.lengths, d.displacements, olds[0])
	case "indexed_block":
		return IndexedBlock(d.length, d.displacements, olds[0])
	case "hindexed_block":
		return HindexedBlock(d.length, d.displacements, olds[0])
	case "struct":
		return Struct(d.lengths, d.displacements, olds)
	case "subarray":
		return Subarray(d.sizes, d.subs, d.starts, d.fortran, olds[0])
	case "darray":
		return Darray(d.size, d.rank, d.sizes, d.distribs, d.dargs, d.subs, d.fortran, olds[0])
	case "resized":
		return Resized(olds[0], d.n, d.stride)
	case "dup":
		return Dup(olds[0])
	}
	return leaves[d.op], nil
}

// String writes the description as testdata/types.c reads it.
func (d *description) String() string {
	var s strings.Builder
	for _, o := range d.olds {
		fmt.Fprint(&s, o, " ")
	}
	s.WriteString(d.op)
	numbers := func(a ...int64) {
		for _, v := range a {
			fmt.Fprint(&s, " ", v)
		}
	}
	order := " C"
	if d.fortran {
		order = " F"
	}
	switch d.op {
	case "contiguous":
		numbers(d.n)
	case "vector", "hvector":
		numbers(d.n, d.length, d.stride)
	case "indexed", "hindexed", "struct":
		numbers(int64(len(d.lengths)))
		numbers(d.lengths...)
		numbers(d.displacements...)
	case "indexed_block", "hindexed_block":
		numbers(d.length, int64(len(d.displacements)))
		numbers(d.displacements...)
	case "subarray":
		numbers(int64(len(d.sizes)))
		numbers(d.sizes...)
		numbers(d.subs...)
		numbers(d.starts...)
		s.WriteString(order)
	case "darray":
		numbers(d.size, d.rank, int64(len(d.sizes)))
		numbers(d.sizes...)
		numbers(d.distribs...)
		for _, a := range d.dargs {
			numbers(max(a, -1))
		}
		numbers(d.subs...)
		s.WriteString(order)
	case "resized":
		numbers(d.n, d.stride)
	}
	return s.String()
}

// generator draws descriptions of types that are not too large to expand.
type generator struct {
	t      *rapid.T
	leaves map[string]*Type
	most   int64 // elements
	plain  bool  // without what TestTypesAreWhatMPIMakesOfThem leaves out
}

func (g generator) number(from, to int64, label string) int64 {
	return rapid.Int64Range(from, to).Draw(g.t, label)
}

func (g generator) numbers(n, from, to int64, label string) []int64 {
	a := make([]int64, n)
	for i := range a {
		a[i] = g.number(from, to, label)
	}
	return a
}

// leftOut says whether this is a constructor of which a library makes what it should not.
func (d *description) leftOut() bool {
	switch d.op {
	case "vector", "hvector":
		stride := d.stride
		if d.op == "vector" {
			stride *= d.olds[0].expand().extent()
		}
		return d.length == 0 || stride == -1
	case "indexed_block", "hindexed_block":
		return d.length == 0
	case "darray":
		return len(d.expand().elements) == 0
	}
	return false
}

// draw gives a description of at most some depth.
func (g generator) draw(depth int) *description {
	if depth == 0 || g.number(0, 7, "leaf") == 0 {
		return &description{op: rapid.SampledFrom(names).Draw(g.t, "basic")}
	}
	d := &description{op: rapid.SampledFrom([]string{
		"contiguous", "vector", "hvector", "indexed", "hindexed", "indexed_block", "hindexed_block", "struct", "struct",
		"subarray", "darray", "resized", "resized", "dup",
	}).Draw(g.t, "constructor")}
	olds := int64(1)
	if d.op == "struct" {
		olds = g.number(0, 4, "blocks")
	}
	for range olds {
		d.olds = append(d.olds, g.old(depth-1))
	}
	g.arguments(d)
	if g.plain && d.leftOut() {
		return d.olds[0]
	}
	if t := d.build(g.t, g.leaves); t.elements > g.most || t.trueUB-t.trueLB > 1<<19 || t.Extent() > 1<<15 ||
		t.Extent() < -1<<15 {
		if len(d.olds) == 0 {
			return &description{op: "MPI_INT"}
		}
		return d.olds[0]
	}
	return d
}

func (g generator) old(depth int) *description {
	d := g.draw(depth)
	if g.plain && d.build(g.t, g.leaves).elements == 0 {
		return &description{op: "MPI_INT"}
	}
	return d
}

func (g generator) arguments(d *description) {
	bytes := func() int64 {
		if rapid.Bool().Draw(g.t, "aligned") {
			return 8 * g.number(-12, 12, "words")
		}
		return g.number(-40, 40, "bytes")
	}
	many := func() []int64 {
		a := make([]int64, len(d.lengths))
		for i := range a {
			a[i] = bytes()
		}
		return a
	}
	switch d.op {
	case "contiguous":
		d.n = g.number(0, 5, "count")
	case "vector", "hvector":
		d.n, d.length = g.number(0, 5, "count"), g.number(0, 4, "blocklength")
		d.stride = g.number(-6, 6, "stride")
		if d.op == "hvector" {
			d.stride = bytes()
		}
	case "indexed", "hindexed", "indexed_block", "hindexed_block":
		count := g.number(0, 5, "count")
		if g.number(0, 3, "long") == 0 {
			count += 8
		}
		d.lengths = g.numbers(count, 0, 3, "blocklength")
		d.length = g.number(0, 3, "blocklength")
		d.displacements = g.numbers(count, -4*count, 4*count, "displacement")
		if strings.HasPrefix(d.op, "h") {
			d.displacements = many()
		}
	case "struct":
		d.lengths = g.numbers(int64(len(d.olds)), 0, 3, "blocklength")
		d.displacements = many()
	case "subarray":
		d.fortran = rapid.Bool().Draw(g.t, "fortran")
		for range g.number(1, 3, "ndims") {
			size := g.number(1, 5, "size")
			sub := g.number(1, size, "subsize")
			d.sizes, d.subs = append(d.sizes, size), append(d.subs, sub)
			d.starts = append(d.starts, g.number(0, size-sub, "start"))
		}
	case "darray":
		g.darray(d)
	case "resized":
		d.n, d.stride = g.number(-20, 20, "lb"), g.number(-30, 60, "extent")
	}
}

func (g generator) darray(d *description) {
	d.fortran = rapid.Bool().Draw(g.t, "fortran")
	d.size = 1
	for range g.number(1, 3, "ndims") {
		size, psize := g.number(1, 7, "gsize"), g.number(1, 3, "psize")
		distrib := rapid.SampledFrom([]int64{DistributeNone, DistributeBlock, DistributeCyclic}).Draw(g.t, "distrib")
		darg := DefaultDarg
		if distrib == DistributeNone {
			psize = 1
		} else if rapid.Bool().Draw(g.t, "with darg") {
			least := int64(1)
			if distrib == DistributeBlock {
				least = ceilDiv(size, psize)
			}
			darg = g.number(least, least+2, "darg")
		}
		d.size *= psize
		d.sizes, d.subs = append(d.sizes, size), append(d.subs, psize)
		d.distribs, d.dargs = append(d.distribs, distrib), append(d.dargs, darg)
	}
	d.rank = g.number(0, d.size-1, "rank")
}

// drawType draws a type and its expansion.
func drawType(t *rapid.T, leaves map[string]*Type, most int64) (*description, *Type, twin) {
	d := generator{t: t, leaves: leaves, most: most}.draw(3)
	return d, d.build(t, leaves), d.expand()
}

var _ rapid.TB = (*testing.T)(nil)
