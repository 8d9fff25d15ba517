package datatype

import "unknot/internal/vocab/finding"

// Content is what a message carries or a buffer has room for: Count of a Type.
type Content struct {
	Type  *Type // nil if it is not known
	Count int64
}

// Elements is the number of basic elements.
func (c Content) Elements() int64 { return total(c.Count, c.Type.elements) }

// Hash is equal for contents of equal type signatures, however they were built; false if the content is not known, or
// MPI_PACKED, of which only sizes can be compared.
func (c Content) Hash() (hash uint64, ok bool) {
	if c.Type == nil || c.Type.packed {
		return 0, false
	}
	return c.Type.Hash(c.Count), true
}

// String says it in words: "10 × MPI_INT", or "12 elements (40 bytes)" if they are of several types.
func (c Content) String() string { return c.Worded().Text }

// Worded says it in the words of String.
func (c Content) Worded() finding.Wording {
	switch n := c.Elements(); {
	case c.Type.uniform != None || n == 0 && c.Type.elements == 0:
		return finding.Wordf("%d × %v", n, c.Type.uniform)
	default:
		return finding.Wordf("%s (%d bytes)", finding.Counted(n, "element", "elements"), total(c.Count, c.Type.size))
	}
}
