package datatype

import (
	"errors"
	"fmt"
)

var errOld = errors.New("oldtype is not a known datatype")

// Contiguous is MPI_Type_contiguous (MPI-4.0, 5.1.2).
func Contiguous(count int64, old *Type) (*Type, error) {
	if err := check(old, argument{"count", count}); err != nil {
		return nil, err
	}
	return copies(row, old, 0, axis{n: count, block: max(count, 1), step: old.Extent()})
}

// Vector is MPI_Type_vector: stride counts extents of old (MPI-4.0, 5.1.2).
func Vector(count, blocklength, stride int64, old *Type) (*Type, error) {
	if err := check(old, argument{"count", count}, argument{"blocklength", blocklength}); err != nil {
		return nil, err
	}
	var e exact
	bytes := e.mul(stride, old.Extent())
	if e.far {
		return nil, errFar
	}
	return Hvector(count, blocklength, bytes, old)
}

// Hvector is MPI_Type_create_hvector: stride counts bytes (MPI-4.0, 5.1.2).
func Hvector(count, blocklength, stride int64, old *Type) (*Type, error) {
	if err := check(old, argument{"count", count}, argument{"blocklength", blocklength}); err != nil {
		return nil, err
	}
	var e exact
	n := e.mul(count, blocklength)
	e.within(stride)
	if e.far {
		return nil, errFar
	}
	return copies(blocks, old, 0, axis{n: n, block: max(blocklength, 1), step: old.Extent(), jump: stride})
}

// Resized is MPI_Type_create_resized: lb and extent in bytes replace earlier bounds (MPI-4.0, 5.1.7).
func Resized(old *Type, lb, extent int64) (*Type, error) {
	if old == nil {
		return nil, errOld
	}
	var e exact
	e.within(extent)
	ub := e.add(e.within(lb), extent)
	if e.far {
		return nil, errFar
	}
	t := *old
	t.lb, t.ub, t.marked = lb, ub, true
	return &t, nil
}

// Dup is MPI_Type_dup (MPI-4.0, 5.1.10).
func Dup(old *Type) (*Type, error) {
	if old == nil {
		return nil, errOld
	}
	t := *old
	return &t, nil
}

// argument is a number that must not be negative.
type argument struct {
	name  string
	value int64
}

func check(old *Type, counts ...argument) error {
	for _, c := range counts {
		if c.value < 0 {
			return fmt.Errorf("%s is %d, but must not be negative", c.name, c.value)
		}
	}
	if old == nil {
		return errOld
	}
	return nil
}

// copies makes a type of copies of old along axes. Its bounds are those of the copies.
func copies(f form, old *Type, start int64, axes ...axis) (*Type, error) {
	t := &Type{form: f, rules: old.rules, old: old, start: start, axes: axes, align: old.align}
	var e exact
	n := int64(1)
	from, to := start, start
	for _, a := range axes {
		if n = e.mul(n, a.n); n == 0 {
			break
		}
		// Every corner is checked, as both factors may be large.
		e.mul(min(a.n, a.block), a.step)
		e.mul((a.n-1)/a.block, a.jump)
		if e.far {
			return nil, errFar
		}
		lo, hi := a.hull()
		from, to = e.add(from, lo), e.add(to, hi)
	}
	if n == 0 && !e.far {
		return t.nothing(), nil
	}
	t.size, t.elements = e.mul(n, old.size), e.mul(n, old.elements)
	if old.elements > 0 {
		t.trueLB, t.trueUB = e.add(from, old.trueLB), e.add(to, old.trueUB)
	}
	t.bound(e.add(from, old.lb), e.add(to, old.ub), old.marked, false)
	t.finish()
	if e.far {
		return nil, errFar
	}
	t.displaced, t.packed, t.uniform = old.displaced, old.packed, old.uniform
	t.signature = old.signature.times(n)
	t.cover = covered(old.cover, start, axes)
	return t, nil
}

// nothing makes t a type without any entry in its datatype.
func (t *Type) nothing() *Type {
	t.axes, t.list = nil, nil
	t.align, t.signature = 0, empty
	return t
}
