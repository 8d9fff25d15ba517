package datatype

import "math/bits"

// residues is a set of addresses modulo 16, the greatest alignment that an element has: bit r stands for r.
type residues uint16

func (s residues) has(address int64) bool { return s>>(uint64(address)%16)&1 == 1 }

// before gives the addresses that come by so many bytes before those of s.
func (s residues) before(by int64) residues {
	return residues(bits.RotateLeft16(uint16(s), -int(uint64(by)%16)))
}

// repeat gives the addresses of a first copy, if one of n copies, a stride apart, is at an address of s.
func (s residues) repeat(n, stride int64) (all residues) {
	for k := range min(n, 16) {
		all |= s.before(k * stride)
	}
	return all
}

// along is repeat for the copies along an axis.
func (s residues) along(a axis) residues {
	whole := s.repeat(min(a.block, a.n), a.step).repeat(a.n/a.block, a.jump)
	return whole | s.repeat(a.n%a.block, a.step).before(a.n/a.block*a.jump)
}

// Alignment knows at which addresses a type's elements are aligned. It is made once a type, by NewAlignment.
type Alignment struct {
	t *Type
	// addresses at which an element of one of the type is not aligned, and of any number of it
	one, many residues
	skew      map[*Type]residues // of the types that it is made of
}

// NewAlignment looks at how the elements of a type lie to each other. It takes time in proportion to the size of the
// tree.
func NewAlignment(t *Type) *Alignment {
	a := &Alignment{t: t, skew: make(map[*Type]residues)}
	a.one = a.of(t)
	a.many = a.one.repeat(16, t.Extent())
	return a
}

// Misaligned gives the first element, from 0, that is not aligned for its type if count of the type are at an address,
// and what its address should be a multiple of.
func (a *Alignment) Misaligned(count, at int64) (n, align int64, yes bool) {
	if !a.many.has(at) {
		return 0, 0, false
	}
	for k := range min(count, 16) {
		if address := at + k*a.t.Extent(); a.one.has(address) {
			n, align = a.first(a.t, address)
			return k*a.t.elements + n, align, true
		}
	}
	return 0, 0, false
}

func (a *Alignment) of(t *Type) (s residues) {
	if t.elements == 0 {
		return 0
	}
	if s, known := a.skew[t]; known {
		return s
	}
	switch {
	case t.form == leaf:
		for r := range int64(16) {
			if r%min(t.align, 16) != 0 {
				s |= 1 << r
			}
		}
	case t.list != nil:
		for b, at := range t.list.at {
			old := t.block(b)
			s |= a.of(old).repeat(t.list.length(b), old.Extent()).before(at)
		}
	default:
		s = a.of(t.old)
		for _, x := range t.axes {
			s = s.along(x)
		}
		s = s.before(t.start)
	}
	a.skew[t] = s
	return s
}

// block is the type of block b of a list.
func (t *Type) block(b int) *Type {
	if t.old != nil {
		return t.old
	}
	return t.list.types[b]
}

// first is the first element of one t at an address that is not aligned, and its alignment; there is one.
func (a *Alignment) first(t *Type, address int64) (n, align int64) {
	if t.form == leaf {
		return 0, t.align
	}
	if t.list != nil {
		before := int64(0)
		for b, at := range t.list.at {
			old, n := t.block(b), t.list.length(b)
			for k := range min(n, 16) {
				if to := address + at + k*old.Extent(); a.of(old).has(to) {
					n, align = a.first(old, to)
					return before + k*old.elements + n, align
				}
			}
			before += n * old.elements
		}
		return 0, 1
	}
	address += t.start
	inner, copies := make([]residues, len(t.axes)+1), t.old.elements
	inner[len(t.axes)] = a.of(t.old)
	for i := len(t.axes) - 1; i >= 0; i-- {
		inner[i] = inner[i+1].along(t.axes[i])
		copies *= t.axes[i].n
	}
	before := int64(0)
	for i, x := range t.axes {
		k := x.first(inner[i+1], address)
		address += x.at(k)
		copies /= x.n
		before += k * copies
	}
	n, align = a.first(t.old, address)
	return before + n, align
}

// first is the first copy along an axis that is at an address of s, if the axis begins at an address; there is one.
func (x axis) first(s residues, address int64) int64 {
	for i := range min(ceilDiv(x.n, x.block), 16) {
		for j := range min(x.block, x.n-i*x.block, 16) {
			if k := i*x.block + j; s.has(address + x.at(k)) {
				return k
			}
		}
	}
	rest := x.n / x.block * x.block
	for k := rest; k < x.n && k < rest+16; k++ {
		if s.has(address + x.at(k)) {
			return k
		}
	}
	return 0
}
