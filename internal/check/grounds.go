package check

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// GroundKind says what memory is.
type GroundKind uint8

// Kinds of memory.
const (
	NoGround    GroundKind = iota
	HeapBlock              // a block of the heap that is alive
	FreedBlock             // one that has been freed, and nothing else is there yet
	LeftStack              // a part of a stack in which no function has its variables any more
	ThreadStack            // the whole stack of a thread
	Variable               // a global or static variable
	ArrayMemory            // that of an array of Python
)

// Ground is memory that a buffer lies in: the bytes from From to the one before To.
type Ground struct {
	Kind     GroundKind
	From, To uint64
	Name     string    // of a variable; of an array, what it is
	Thread   op.Thread // of a stack: the thread whose it is
	Freed    Freed     // of a block
}

// Freed is how memory was given back.
type Freed struct {
	How string // "freed", "unmapped"
	// what of the language's library has done it, as "the destructor of std::vector"; empty if nothing has, or that is
	// not known
	By   string
	Site uint64
}

// Worded is how it was given back, and by what.
func (f Freed) Worded() string {
	if f.By == "" {
		return f.How
	}
	return f.How + " by " + f.By
}

// Beneath is what a buffer of a call lies in, as the process itself has recorded.
type Beneath struct {
	Param int
	Ground
}

// Array is an array of Python that a buffer of a call belongs to: the bytes from From to the one before To, which are
// part of those of Whole.
type Array struct {
	Param    int
	From, To uint64
	Whole    Ground           // NoGround if it is not known
	Is       string           // "int16 array", "memoryview" …
	Items    *symbol.Declared // nil if that is not known
}

// InArray is the array that the buffer belongs to that is a parameter of the call, nil if that is not known.
func (c *Call) InArray(param int) *Array {
	for i := range c.Arrays {
		if c.Arrays[i].Param == param {
			return &c.Arrays[i]
		}
	}
	return nil
}

// Ground is what the buffer lies in that is a parameter of the call.
func (c *Call) Ground(param int) Ground {
	if a := c.InArray(param); a != nil && a.Whole.Kind != NoGround {
		return a.Whole
	}
	for i := range c.Beneath {
		if c.Beneath[i].Param == param {
			return c.Beneath[i].Ground
		}
	}
	if at, ok := c.Int(param); ok && c.Rank.Where != nil {
		return c.Rank.Where(uint64(at))
	}
	return Ground{}
}

// String is how a ground is called.
func (g Ground) String() string { return g.Worded().Text }

// Worded is how a ground is called, as by String.
func (g Ground) Worded() finding.Wording {
	switch g.Kind {
	case HeapBlock:
		return finding.Wordf("a heap block of %s", Bytes(int64(g.To-g.From)))
	case ArrayMemory:
		return finding.Wordf("%s of %s", g.Name, Bytes(int64(g.To-g.From)))
	case Variable:
		return finding.Wordf("the variable `%s` of %s", g.Name, Bytes(int64(g.To-g.From)))
	}
	return finding.Wordf("the stack of a thread")
}
