package datatype

// maxBases bounds the nodes that Basis looks at.
const maxBases = 1 << 10

// Basis is the predefined datatype that all of t is made of, nil if there are several or none; known is false if that
// would take too long to find out. A pair such as MPI_DOUBLE_INT is one predefined datatype.
func (t *Type) Basis() (basis *Type, known bool) {
	left := maxBases
	return t.basis(&left)
}

func (t *Type) basis(left *int) (basis *Type, known bool) {
	if t.elements == 0 {
		return nil, true
	}
	for t.form != leaf && t.form != pair && t.old != nil {
		t = t.old
	}
	if t.form == leaf || t.form == pair {
		return t, true
	}
	for i, u := range t.list.types {
		if t.list.length(i) == 0 || u.elements == 0 {
			continue
		}
		if *left--; *left < 0 {
			return nil, false
		}
		one, known := u.basis(left)
		if !known {
			return nil, false
		}
		if one == nil || basis != nil && !basis.Same(one) {
			return nil, true
		}
		basis = one
	}
	return basis, true
}

// Same says whether two predefined datatypes are one as far as matching is concerned.
func (t *Type) Same(u *Type) bool {
	return t == u || t.form == u.form && t.signature == u.signature && t.size == u.size
}

// Like says whether two predefined datatypes, of one element each, differ in name only on the usual machines of today
// (Basic.Like).
func (t *Type) Like(u *Type) bool { return t.form == leaf && u.form == leaf && t.basic.Like(u.basic) }

// Name is what a predefined datatype is called; of a pair it is the types of its parts.
func (t *Type) Name() string {
	if t.form == leaf {
		return t.basic.String()
	}
	first, _, _ := t.At(1, 0)
	second, _, _ := t.At(1, 1)
	return "pairs of " + first.String() + " and " + second.String()
}
