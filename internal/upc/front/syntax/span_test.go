package syntax

import (
	"fmt"
	"slices"
)

// disjoint checks that every node's tokens are within those of the node around it and do not overlap those of its
// neighbours, which is what editing a text by spans relies on.
func disjoint(f *File) error {
	end := Pos(0)
	for _, d := range f.Decls {
		if d.First() < end {
			return fmt.Errorf("declaration at token %d begins before %d", d.First(), end)
		}
		end = d.Last() + 1
		if err := disjointNode(f, d); err != nil {
			return err
		}
	}
	if int(end) >= len(f.Tokens) {
		return fmt.Errorf("the last declaration ends at %d of %d tokens", end, len(f.Tokens))
	}
	return nil
}

func disjointNode(f *File, n Node) error {
	at := n.First()
	if at < 0 || n.Last() < at-1 || int(n.Last()) >= len(f.Tokens) {
		return fmt.Errorf("%T has the tokens %d to %d of %d", n, n.First(), n.Last(), len(f.Tokens))
	}
	for _, child := range ordered(n) {
		if child.Last() < child.First() {
			continue
		}
		if child.First() < at || child.Last() > n.Last() {
			return fmt.Errorf("%T of %d to %d has a %T of %d to %d, after %d",
				n, n.First(), n.Last(), child, child.First(), child.Last(), at)
		}
		at = child.Last() + 1
		if err := disjointNode(f, child); err != nil {
			return err
		}
	}
	return nil
}

// ordered are the children of a node by their place.
func ordered(n Node) []Node {
	var all []Node
	Children(n, func(child Node) { all = append(all, child) })
	slices.SortStableFunc(all, func(a, b Node) int { return int(a.First() - b.First()) })
	return all
}

// reproduce makes the file's text of the texts of its nodes, each from its own tokens and its children.
func reproduce(f *File) []byte {
	r := &reproducer{file: f}
	at := Pos(0)
	for _, d := range f.Decls {
		r.tokens(at, d.First())
		r.node(d)
		at = d.Last() + 1
	}
	r.tokens(at, Pos(len(f.Tokens)))
	return r.out
}

type reproducer struct {
	file *File
	out  []byte
	end  int32 // offset in the file's text up to which out goes
}

func (r *reproducer) tokens(from, to Pos) {
	for i := from; i < to; i++ {
		t := r.file.Tokens[i]
		r.out = append(r.out, r.file.Text[r.end:t.Offset+t.Length]...)
		r.end = t.Offset + t.Length
	}
}

func (r *reproducer) node(n Node) {
	at := n.First()
	for _, child := range ordered(n) {
		if child.Last() < child.First() {
			continue
		}
		r.tokens(at, child.First())
		r.node(child)
		at = child.Last() + 1
	}
	r.tokens(at, n.Last()+1)
}
