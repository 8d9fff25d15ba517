package datatype

import (
	"fmt"
	"slices"
)

// Indexed is MPI_Type_indexed: displacements count extents of old (MPI-4.0, 5.1.2).
func Indexed(blocklengths, displacements []int64, old *Type) (*Type, error) {
	if err := checkBlocks(blocklengths, len(displacements), old); err != nil {
		return nil, err
	}
	at, err := scaled(displacements, old)
	if err != nil {
		return nil, err
	}
	return listOf(old, &list{at: at, lengths: slices.Clone(blocklengths)}, false)
}

// Hindexed is MPI_Type_create_hindexed: displacements count bytes (MPI-4.0, 5.1.2).
func Hindexed(blocklengths, displacements []int64, old *Type) (*Type, error) {
	if err := checkBlocks(blocklengths, len(displacements), old); err != nil {
		return nil, err
	}
	return listOf(old, &list{at: slices.Clone(displacements), lengths: slices.Clone(blocklengths)}, true)
}

// IndexedBlock is MPI_Type_create_indexed_block: blocks of one length (MPI-4.0, 5.1.2).
func IndexedBlock(blocklength int64, displacements []int64, old *Type) (*Type, error) {
	if err := check(old, argument{"blocklength", blocklength}); err != nil {
		return nil, err
	}
	at, err := scaled(displacements, old)
	if err != nil {
		return nil, err
	}
	return listOf(old, &list{at: at, each: blocklength}, false)
}

// HindexedBlock is MPI_Type_create_hindexed_block (MPI-4.0, 5.1.2).
func HindexedBlock(blocklength int64, displacements []int64, old *Type) (*Type, error) {
	if err := check(old, argument{"blocklength", blocklength}); err != nil {
		return nil, err
	}
	return listOf(old, &list{at: slices.Clone(displacements), each: blocklength}, true)
}

// Struct is MPI_Type_create_struct (MPI-4.0, 5.1.2).
func Struct(blocklengths, displacements []int64, types []*Type) (*Type, error) {
	if len(types) != len(blocklengths) {
		return nil, fmt.Errorf("there are %d blocklengths, but %d types", len(blocklengths), len(types))
	}
	for i, u := range types {
		if u == nil {
			return nil, fmt.Errorf("array_of_types[%d] is not a known datatype", i)
		}
	}
	if err := checkLengths(blocklengths, len(displacements)); err != nil {
		return nil, err
	}
	t := &Type{form: blocks, list: &list{
		at: slices.Clone(displacements), lengths: slices.Clone(blocklengths), types: slices.Clone(types),
	}}
	if len(types) > 0 {
		t.rules = types[0].rules
	}
	return t.listed()
}

func checkBlocks(blocklengths []int64, displacements int, old *Type) error {
	if old == nil {
		return errOld
	}
	return checkLengths(blocklengths, displacements)
}

func checkLengths(blocklengths []int64, displacements int) error {
	if len(blocklengths) != displacements {
		return fmt.Errorf("there are %d blocklengths, but %d displacements", len(blocklengths), displacements)
	}
	for i, n := range blocklengths {
		if n < 0 {
			return fmt.Errorf("array_of_blocklengths[%d] is %d, but must not be negative", i, n)
		}
	}
	return nil
}

// scaled turns displacements in extents of old into bytes.
func scaled(displacements []int64, old *Type) ([]int64, error) {
	var e exact
	at := make([]int64, len(displacements))
	for i, d := range displacements {
		at[i] = e.mul(d, old.Extent())
	}
	return at, e.err()
}

// listOf makes a type of blocks of old. In bytes says that displacements were given so, and may be addresses.
func listOf(old *Type, l *list, inBytes bool) (*Type, error) {
	t := &Type{form: blocks, rules: old.rules, old: old, list: l}
	if _, err := t.listed(); err != nil {
		return nil, err
	}
	if !inBytes {
		t.displaced = old.displaced
	}
	return t, nil
}

// listed works out everything that follows from t's list, and returns t.
func (t *Type) listed() (*Type, error) {
	var e exact
	l := t.list
	t.signature = empty
	var (
		copies int64
		any    bool // entries in the typemap, or bounds
		data   bool
		parts  []*cover
		runs   []Span
	)
	for b, at := range l.at {
		old := t.old
		if old == nil {
			old = l.types[b]
			l.before = append(l.before, preceding{t.elements, t.signature})
		}
		n := l.length(b)
		copies = e.add(copies, n)
		if t.old != nil && l.lengths != nil {
			l.ends = append(l.ends, copies)
		}
		if n == 0 || !old.any() {
			continue
		}
		lo, hi := e.within(at), e.add(e.within(at), e.mul(n-1, old.Extent()))
		lo, hi = min(lo, hi), max(lo, hi)
		t.align = max(t.align, old.align)
		t.bound(e.add(lo, old.lb), e.add(hi, old.ub), old.marked, any)
		any = true
		t.size = e.add(t.size, e.mul(n, old.size))
		t.elements = e.add(t.elements, e.mul(n, old.elements))
		if old.elements == 0 {
			continue
		}
		from, to, displaced := e.add(lo, old.trueLB), e.add(hi, old.trueUB), e.add(at, old.displaced)
		if !data {
			data, t.trueLB, t.trueUB, t.displaced, t.uniform = true, from, to, displaced, old.uniform
		}
		t.trueLB, t.trueUB, t.displaced = min(t.trueLB, from), max(t.trueUB, to), min(t.displaced, displaced)
		t.packed = t.packed || old.packed
		if old.uniform != t.uniform {
			t.uniform = None
		}
		if e.far {
			return nil, errFar
		}
		if t.old == nil {
			t.signature = t.signature.then(old.signature.times(n))
		}
		if c := repeat(old.cover, n, old.Extent()); c.solid() && c.twice == no {
			runs = append(runs, Span{c.lo + at, c.hi + at})
		} else {
			parts = append(parts, c.shift(at))
		}
	}
	if e.far {
		return nil, errFar
	}
	if t.old != nil {
		t.signature = t.old.signature.times(copies)
	}
	t.finish()
	t.cover = union(parts, runs)
	return t, nil
}

// any says whether the typemap has an entry, or bounds that were given.
func (t *Type) any() bool { return t.elements > 0 || t.marked }
