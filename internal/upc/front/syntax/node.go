package syntax

// Node is a part of the tree. Its tokens are those from First to Last, both included. An empty node, such as the
// declarator of an unnamed parameter, has its Last just before its First.
type Node interface {
	First() Pos
	Last() Pos
}

// Span is the tokens of a node.
type Span struct{ From, To Pos }

// First is the node's first token.
func (s Span) First() Pos { return s.From }

// Last is the node's last token.
func (s Span) Last() Pos { return s.To }

// Ident is a name where it is used or declared.
type Ident struct {
	Span
	Name string
}
