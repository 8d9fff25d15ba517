package datatype

import "unknot/internal/vocab/finding"

// Path is the place of a basic element in a buffer of derived types, from the outside to the inside.
//
// In words, numbers count from 1:
//
//	item 3                                  the third MPI_INT of a buffer
//	item 3, block 2                         a struct: its second block, which is of length 1
//	item 3, block 2, element 4              the fourth of that block, or of a block of a vector or an indexed type
//	element 5                               the fifth copy in a contiguous type, of a single item
//	index [2,3], part 2                     second row and third column of the whole array that a subarray or darray was
//	                                        taken from, in the order of the program's arguments; second half of a pair
//
// A step is left out where there is nothing to choose: the item of a buffer of one, the block of a vector of one, the
// element of a block of length 1.
type Path struct {
	Steps []Step
}

// Step is one step on a Path.
type Step struct {
	Word  Word
	At    int64   // from 1; 0 for Index
	Of    int64   // how many there are to choose from; for Index, in the part of the array
	Index []int64 // from 1, in the whole array
}

// Word says what a Step counts.
type Word string

// The words of a Path.
const (
	Item    Word = "item"    // which of the count
	Block   Word = "block"   // of a struct, a vector or an indexed type
	Element Word = "element" // within a block, or of a contiguous type
	Index   Word = "index"   // of a subarray or a darray
	Part    Word = "part"    // of a predefined pair
)

// String says the path in words. It is never empty for an element that exists.
func (p Path) String() string { return p.Worded().Text }

// Worded says the path in the words of String.
func (p Path) Worded() finding.Wording {
	var steps []finding.Wording
	for _, s := range p.Steps {
		if s.Of > 1 {
			steps = append(steps, s.worded())
		}
	}
	if len(steps) == 0 && len(p.Steps) > 0 {
		steps = append(steps, p.Steps[0].worded())
	}
	return finding.Joined(steps, ", ")
}

func (s Step) worded() finding.Wording {
	if s.Word != Index {
		return finding.Wordf("%s %d", s.Word, s.At)
	}
	var index []finding.Wording
	for _, i := range s.Index {
		index = append(index, finding.Wordf("%d", i))
	}
	return finding.Wordf("%s [%s]", s.Word, finding.Joined(index, ","))
}

// At gives the nth element, from 0, of a buffer of count t: what it is, how many bytes from the buffer's address it
// lies, and its path. The result is None for any other n.
func (t *Type) At(count, n int64) (b Basic, offset int64, p Path) {
	if n < 0 || n >= total(count, t.elements) {
		return None, 0, Path{}
	}
	item := n / t.elements
	p.Steps = []Step{{Word: Item, At: item + 1, Of: count}}
	offset = item * t.Extent()
	n %= t.elements
	for t.form != leaf {
		var at int64
		t, at, n = t.descend(n, &p)
		offset += at
	}
	return t.basic, offset, p
}

// Record is a struct type on the way to an element of a buffer: what a program's own struct would look like.
type Record struct {
	Extent        int64
	Displacements []int64 // of its blocks, in bytes; not to be changed
	Sizes         []int64 // of the first element of each block, in bytes
	Offset        int64   // of the element
}

// Records are the struct types that begin at their lower bound and hold the nth element of a buffer of t, from the
// outside to the inside.
func (t *Type) Records(n int64) (out []Record) {
	if t.elements == 0 || n < 0 {
		return nil
	}
	var p Path
	n %= t.elements
	for t.form != leaf {
		if t.form == blocks && t.list != nil && t.list.types != nil && t.lb == 0 {
			r := Record{Extent: t.Extent(), Displacements: t.list.at}
			for _, u := range t.list.types {
				r.Sizes = append(r.Sizes, u.first())
			}
			out = append(out, r)
		}
		var at int64
		t, at, n = t.descend(n, &p)
		for i := range out {
			out[i].Offset += at
		}
	}
	return out
}

// first is the size of the first basic element of t, 0 if it has none.
func (t *Type) first() int64 {
	var p Path
	if t.elements == 0 {
		return 0
	}
	for t.form != leaf {
		t, _, _ = t.descend(0, &p)
	}
	return t.size
}

// descend goes one node down towards the nth element: to which one, how many bytes further, and which element of it.
func (t *Type) descend(n int64, p *Path) (to *Type, at, rest int64) {
	switch {
	case t.list != nil && t.old == nil:
		b, within := t.list.find(n)
		old := t.list.types[b]
		t.step(p, int64(b), int64(len(t.list.at)), within/old.elements, t.list.length(b))
		return old, t.list.at[b] + within/old.elements*old.Extent(), within % old.elements
	case t.list != nil:
		b, k := t.list.copy(n / t.old.elements)
		t.step(p, int64(b), int64(len(t.list.at)), k, t.list.length(b))
		return t.old, t.list.at[b] + k*t.old.Extent(), n % t.old.elements
	}
	k, at := n/t.old.elements, t.start
	index := make([]int64, len(t.axes))
	copies := int64(1)
	for i := len(t.axes) - 1; i >= 0; i-- {
		a := t.axes[i]
		d := i
		if t.form == arrayF {
			d = len(t.axes) - 1 - i
		}
		j := k % a.n
		index[d] = a.index + j/a.block*a.cycle + j%a.block + 1
		at += a.at(j)
		copies *= a.n
		k /= a.n
	}
	k = n / t.old.elements
	if t.form == array || t.form == arrayF {
		p.Steps = append(p.Steps, Step{Word: Index, Of: copies, Index: index})
	} else {
		a := t.axes[0]
		t.step(p, k/a.block, a.n/a.block, k%a.block, a.block)
	}
	return t.old, at, n % t.old.elements
}

// step adds the words for copy k, from 0, in block b.
func (t *Type) step(p *Path, b, blocksOf, k, of int64) {
	switch t.form {
	case pair:
		p.Steps = append(p.Steps, Step{Word: Part, At: b + 1, Of: blocksOf})
		return
	case blocks:
		p.Steps = append(p.Steps, Step{Word: Block, At: b + 1, Of: blocksOf})
	}
	p.Steps = append(p.Steps, Step{Word: Element, At: k + 1, Of: of})
}
