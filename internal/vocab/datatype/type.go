package datatype

import (
	"fmt"
	"slices"
	"sort"
)

// Type is a datatype. It is immutable, and may be used by several goroutines at once.
//
// A node is one of three: a basic element; copies of old along axes; or a list of blocks, of old or of types of their
// own.
type Type struct {
	form  form
	rules Rules
	basic Basic // of a leaf

	old   *Type
	start int64  // bytes before the first copy of old
	axes  []axis // outermost first
	list  *list

	align          int64
	size, elements int64
	lb, ub         int64
	trueLB, trueUB int64
	marked         bool  // lb and ub were given, and hold in types made of this one
	displaced      int64 // see Absolute
	packed         bool  // MPI_PACKED is among its elements
	uniform        Basic // the Basic of all elements, if there is one
	signature      signature
	cover          *cover
}

// form says how the places within a node are called.
type form uint8

const (
	leaf   form = iota
	pair        // "part 2"
	row         // "element 2"
	blocks      // "block 2, element 3"
	array       // "index [2,3]"
	arrayF      // the same, with axes in Fortran's order
)

// axis is a dimension along which old is repeated: copy k lies at (k/block)*jump + (k%block)*step.
type axis struct {
	n, block   int64
	step, jump int64 // bytes
	index      int64 // of an array: the place of the first copy, from 0
	cycle      int64 // of an array: places between blocks
}

func (a axis) at(k int64) int64 { return k/a.block*a.jump + k%a.block*a.step }

// hull gives the least and the greatest at of an axis with copies. Only of an array may the last block be shorter than
// the others, and there at ascends or descends all along.
func (a axis) hull() (from, to int64) {
	corners := [4]int64{0, a.at(min(a.block, a.n) - 1), a.at((a.n - 1) / a.block * a.block), a.at(a.n - 1)}
	return slices.Min(corners[:]), slices.Max(corners[:])
}

// list is a sequence of blocks. Block b has length of b copies of its type, one extent apart, from at[b] on.
type list struct {
	at      []int64
	lengths []int64 // nil: all are of length each
	each    int64
	types   []*Type     // nil: all are of the node's old
	ends    []int64     // without types and with lengths: copies of old up to the end of each block
	before  []preceding // with types: what lies before each block
}

type preceding struct {
	elements  int64
	signature signature
}

func (l *list) length(b int) int64 {
	if l.lengths == nil {
		return l.each
	}
	return l.lengths[b]
}

// find gives the block in which the nth element lies, from 0, and the elements before it in that block.
func (l *list) find(n int64) (block int, rest int64) {
	b := sort.Search(len(l.before), func(i int) bool { return l.before[i].elements > n }) - 1
	return b, n - l.before[b].elements
}

// copy gives the block in which the nth copy of old lies, from 0, and the copies before it in that block.
func (l *list) copy(n int64) (block int, rest int64) {
	if l.lengths == nil {
		return int(n / l.each), n % l.each
	}
	b := sort.Search(len(l.ends), func(i int) bool { return l.ends[i] > n })
	return b, n - (l.ends[b] - l.lengths[b])
}

// Predefined is Predefined for types whose bounds follow these rules, as those of all types made of them do.
func (r Rules) Predefined(name string, size, extent, align int64) (*Type, error) {
	if size <= 0 || align <= 0 || extent < size || extent > farthest {
		return nil, fmt.Errorf("%s cannot have size %d, extent %d and alignment %d", name, size, extent, align)
	}
	if first, second, ok := halves(name); ok {
		return r.newPair(name, first, second, size, extent, align)
	}
	b, ok := BasicOf(name)
	if !ok {
		return nil, fmt.Errorf("%s is not a predefined datatype of MPI-4.0", name)
	}
	return r.newLeaf(b, size, extent, align), nil
}

func (r Rules) newLeaf(b Basic, size, extent, align int64) *Type {
	return &Type{
		form: leaf, rules: r, basic: b, align: align, size: size, elements: 1, ub: extent, trueUB: size,
		packed: b.String() == "MPI_PACKED", uniform: b, signature: digit(b), cover: solid(0, size),
	}
}

// newPair makes a pair. The second element is an int of 4 bytes, or is of the same type as the first.
func (r Rules) newPair(name, first, second string, size, extent, align int64) (*Type, error) {
	const sizeofInt = 4 // in every ABI that the MPI libraries support
	behind := int64(sizeofInt)
	if first == second {
		behind = size / 2
	}
	if size <= behind {
		return nil, fmt.Errorf("%s cannot have size %d", name, size)
	}
	at := ceilDiv(size-behind, min(behind, align)) * min(behind, align)
	if at+behind > extent {
		return nil, fmt.Errorf("%s cannot have size %d and extent %d", name, size, extent)
	}
	b1, _ := BasicOf(first)
	b2, _ := BasicOf(second)
	types := []*Type{r.newLeaf(b1, size-behind, size-behind, align), r.newLeaf(b2, behind, behind, min(behind, align))}
	t := &Type{form: pair, rules: r, list: &list{at: []int64{0, at}, each: 1, types: types}}
	if _, err := t.listed(); err != nil {
		return nil, err
	}
	t.lb, t.ub = 0, extent
	return t, nil
}

// Size is the number of bytes of data in one t (MPI_Type_size; MPI-4.0, 5.1.5).
func (t *Type) Size() int64 { return t.size }

// Elements is the number of basic elements in one t (MPI-4.0, 5.1.11).
func (t *Type) Elements() int64 { return t.elements }

// LB is the lower bound in bytes (MPI-4.0, 5.1.6), UB the upper one, and Extent their difference.
func (t *Type) LB() int64 { return t.lb }

// UB is the upper bound in bytes.
func (t *Type) UB() int64 { return t.ub }

// Extent is the distance in bytes between two consecutive t of a buffer.
func (t *Type) Extent() int64 { return t.ub - t.lb }

// TrueLB is where the data begins, without regard to given bounds (MPI-4.0, 5.1.8), and TrueUB where it ends. Both are
// 0 without data.
func (t *Type) TrueLB() int64 { return t.trueLB }

// TrueUB is where the data ends.
func (t *Type) TrueUB() int64 { return t.trueUB }

// Align is the largest alignment of a basic element in it, in bytes, and 1 without any.
func (t *Type) Align() int64 { return max(t.align, 1) }

// Absolute says whether displacements are addresses, as MPI_Get_address gives them, so that the type is meant for
// MPI_BOTTOM (MPI-4.0, 5.1.5 and 5.1.12). MPI does not tell, so it is judged by size: no element of a type of this kind
// lies nearer to 0 than 1 MiB, since programs are loaded at 4 MiB and above, and their heaps and stacks far beyond.
//
// Only displacements in bytes count (struct, hindexed), those of the outer types added to those of the inner ones. A
// subarray that begins a mebibyte into a large array is not taken for absolute, but an hindexed type is of which every
// block is that far from the start of its buffer: the judgement is good for doubt, not for proof.
func (t *Type) Absolute() bool { return t.elements > 0 && t.displaced >= 1<<20 }

// Bounds gives the bytes that count of t touch, relative to the buffer's address: from the first to the one behind the
// last. Both are 0 if nothing is touched.
func (t *Type) Bounds(count int64) (from, to int64) {
	if count <= 0 || t.size == 0 {
		return 0, 0
	}
	var e exact
	last := e.mul(count-1, t.Extent())
	if e.far {
		last = farthest
		if t.Extent() < 0 {
			last = -farthest
		}
	}
	return t.trueLB + min(last, 0), t.trueUB + max(last, 0)
}

// OneArray says whether t is made of one type without a gap or as a part of an array, so that whoever uses it speaks of
// one variable. Other types may join variables that happen to lie side by side (MPI-4.0, 5.1.12).
func (t *Type) OneArray() bool {
	for ; t.form == row || t.form == array || t.form == arrayF; t = t.old {
		if t.list != nil || t.old == nil {
			return false
		}
	}
	return t.form == leaf || t.form == pair
}
