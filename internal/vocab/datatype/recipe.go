package datatype

import "fmt"

// Recipe is what a Type is made from, as plain data: what goes from one agent to another instead of the Type.
// Everything else follows from it, and is worked out again by Make.
type Recipe struct {
	Form                uint8
	Rules               Rules // of a predefined type; others have those of the types that they are made of
	Basic               Basic // of a predefined type, with its size, extent and alignment in bytes
	Size, Extent, Align int64

	Old   *Type // nil in a struct
	Empty bool  // no copy of Old
	Start int64
	Axes  []Axis

	Blocks    bool // made of a list of blocks
	At        []int64
	Lengths   []int64
	Each      int64
	Types     []*Type
	LB, UB    int64
	Marked    bool
	Displaced int64
}

// Axis is a dimension along which a Recipe repeats its old type.
type Axis struct{ N, Block, Step, Jump, Index, Cycle int64 }

// Recipe says what t is made from.
func (t *Type) Recipe() Recipe {
	r := Recipe{Form: uint8(t.form), LB: t.lb, UB: t.ub, Marked: t.marked, Displaced: t.displaced}
	switch {
	case t.form == leaf:
		r.Rules, r.Basic, r.Size, r.Extent, r.Align = t.rules, t.basic, t.size, t.ub-t.lb, t.align
		return r
	case t.list != nil:
		r.Blocks, r.Old = true, t.old
		r.At, r.Lengths, r.Each, r.Types = t.list.at, t.list.lengths, t.list.each, t.list.types
		return r
	}
	r.Old, r.Start, r.Empty = t.old, t.start, t.axes == nil
	for _, a := range t.axes {
		r.Axes = append(r.Axes, Axis{N: a.n, Block: a.block, Step: a.step, Jump: a.jump, Index: a.index,
			Cycle: a.cycle})
	}
	return r
}

// Make makes a Type by a recipe. The recipe may come from anywhere: what no Type is made from is an error.
func Make(r Recipe) (*Type, error) {
	t, err := r.parts()
	if err != nil {
		return nil, err
	}
	var e exact
	t.lb, t.ub, t.displaced, t.marked = e.within(r.LB), e.within(r.UB), e.within(r.Displaced), r.Marked
	return t, e.err()
}

// parts makes a Type except for the bounds that it was given.
func (r *Recipe) parts() (*Type, error) {
	switch f := form(r.Form); {
	case f == leaf:
		return r.leaf()
	case r.Blocks:
		return r.listed(f)
	case f != row && f != blocks && f != array && f != arrayF:
		return nil, fmt.Errorf("form %d of a datatype is not one of copies", r.Form)
	case r.Old == nil:
		return nil, errOld
	case r.Empty:
		return (&Type{form: f, rules: r.Old.rules, old: r.Old, start: r.Start}).nothing(), nil
	}
	if len(r.Axes) == 0 {
		return nil, fmt.Errorf("copies along no axis")
	}
	var axes []axis
	var e exact
	e.within(r.Start)
	for _, a := range r.Axes {
		if a.N < 1 || a.Block < 1 {
			return nil, fmt.Errorf("%d copies in blocks of %d along an axis", a.N, a.Block)
		}
		e.within(a.Step)
		e.within(a.Jump)
		axes = append(axes, axis{n: a.N, block: a.Block, step: a.Step, jump: a.Jump, index: a.Index, cycle: a.Cycle})
	}
	if e.far {
		return nil, errFar
	}
	return copies(form(r.Form), r.Old, r.Start, axes...)
}

func (r *Recipe) leaf() (*Type, error) {
	if r.Basic == None || int(r.Basic) > len(basics) {
		return nil, fmt.Errorf("%d is not a predefined datatype", r.Basic)
	}
	if r.Size <= 0 || r.Align <= 0 || r.Size > farthest || r.Align > farthest || magnitude(r.Extent) > farthest {
		return nil, fmt.Errorf("%v cannot have size %d, extent %d and alignment %d", r.Basic, r.Size, r.Extent, r.Align)
	}
	return r.Rules.newLeaf(r.Basic, r.Size, r.Extent, r.Align), nil
}

func (r *Recipe) listed(f form) (*Type, error) {
	l := &list{at: r.At, lengths: r.Lengths, each: r.Each, types: r.Types}
	switch {
	case f == pair && (len(r.At) != 2 || len(r.Types) != 2 || r.Old != nil || r.Lengths != nil || r.Each != 1):
		return nil, fmt.Errorf("a pair does not have %d parts", len(r.At))
	case f != pair && f != blocks:
		return nil, fmt.Errorf("form %d of a datatype is not one of blocks", r.Form)
	case r.Each < 0:
		return nil, fmt.Errorf("blocks of %d copies", r.Each)
	case r.Old == nil && len(r.Types) != len(r.At), r.Old != nil && r.Types != nil:
		return nil, fmt.Errorf("there are %d blocks, but %d types", len(r.At), len(r.Types))
	}
	if r.Lengths != nil {
		if err := checkLengths(r.Lengths, len(r.At)); err != nil {
			return nil, err
		}
	}
	t := &Type{form: f, old: r.Old, list: l}
	if t.old != nil {
		t.rules = t.old.rules
	} else if len(l.types) > 0 {
		for _, u := range l.types {
			if u == nil || f == pair && u.form != leaf {
				return nil, errOld
			}
		}
		t.rules = l.types[0].rules
	}
	return t.listed()
}
