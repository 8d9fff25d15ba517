package datatype

// Rules say how bounds follow from the parts of a type. MPI libraries differ from the standard's words, and from each
// other, where a program leaves natural alignment or mixes types with and without bounds of their own. What bytes a
// buffer has depends on what its library does, so a type is made by the rules of its predefined types.
type Rules uint8

const (
	// Standard is MPI-4.0, 5.1.6 and 5.1.7 to the letter: bounds that were given by resizing outweigh the displacements
	// of elements, in types made of the resized one too; else the extent of any typemap is rounded up to its alignment.
	Standard Rules = iota
	// OpenMPI rounds the extents of all constructors as well, but begins with the rounded bounds of the old types, and
	// rounds after each block.
	OpenMPI
	// MPICH takes the bounds of old types for what they are, whether given or not, and rounds the extents of structs
	// only; and of them only those that have more than one old type.
	MPICH
)

// Predefined gives the datatype that MPI defines under a name, with size, extent and alignment in bytes as the MPI
// library tells them. Pairs (MPI_DOUBLE_INT) have two elements, which lie as in a C struct (MPI-4.0, 6.9.4).
func Predefined(name string, size, extent, align int64) (*Type, error) {
	return Standard.Predefined(name, size, extent, align)
}

// bound widens t's bounds to those of a block.
func (t *Type) bound(lb, ub int64, marked, any bool) {
	switch {
	case !any || marked && !t.marked && t.rules != MPICH:
		t.lb, t.ub = lb, ub
	case marked == t.marked || t.rules == MPICH:
		t.lb, t.ub = min(t.lb, lb), max(t.ub, ub)
	}
	t.marked = t.marked || marked
	if t.rules == OpenMPI && !t.marked {
		t.pad()
	}
}

// finish settles the bounds of a type that has all its blocks.
func (t *Type) finish() {
	switch t.rules {
	case Standard:
		if !t.marked {
			t.lb, t.ub = t.trueLB, t.trueUB
			t.pad()
		}
	case MPICH:
		if t.list != nil && t.old == nil && !t.list.oneType() {
			t.pad()
		}
	}
}

// pad rounds the extent up to the alignment, in the way in which C's remainder does it for a negative one.
func (t *Type) pad() {
	if t.align == 0 {
		return
	}
	if over := t.Extent() % t.align; over != 0 {
		t.ub += t.align - over
	}
}

// oneType says whether all blocks of a struct are of one old type. Copies of a predefined type that are no different
// from it, such as duplicates, are that type to MPICH.
func (l *list) oneType() bool {
	for _, u := range l.types {
		if first := l.types[0]; u != first && !(u.plain() && first.plain() && u.same(first)) {
			return false
		}
	}
	return true
}

// plain says whether t has the elements and bounds of a predefined type.
func (t *Type) plain() bool {
	if t.elements == 0 || t.lb != 0 || t.trueLB != 0 {
		return false
	}
	bottom := t
	for bottom.form != leaf && bottom.form != pair {
		bottom, _, _ = bottom.descend(0, &Path{})
	}
	return t.elements == bottom.elements && (bottom.form == pair || t.ub == t.size)
}

// same says whether two plain types have the same elements and bounds.
func (t *Type) same(u *Type) bool {
	return t.signature == u.signature && t.ub == u.ub && t.trueUB == u.trueUB
}
