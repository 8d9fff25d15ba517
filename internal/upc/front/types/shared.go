package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// qualWords are the qualifiers by their keywords.
var qualWords = map[string]Qual{
	"const": Const, "volatile": Volatile, "restrict": Restrict, "_Atomic": Atomic, "shared": Shared, "strict": Strict,
	"relaxed": Relaxed,
}

// qualify adds a list of qualifiers to a type, by the rules of UPC 1.3, 6.5.1. out may be nil; it is passed where
// shared, its layout and _Atomic stand.
func (c *checker) qualify(t Type, list []*syntax.Qualifier, out *specified) Type {
	if len(list) == 0 {
		return t
	}
	if out == nil {
		out = &specified{layout: syntax.NoPos, shared: syntax.NoPos, atomic: syntax.NoPos}
	}
	q, block := t.Qual, t.Block
	explicit := t.IsShared() && t.Block.Kind != BlockDefault
	for _, w := range list {
		bit := qualWords[w.Word]
		q |= bit
		switch bit {
		case Atomic:
			out.atomic = w.First()
		case Shared:
			out.shared = w.First()
			if w.Layout == nil {
				continue
			}
			out.layout = w.Layout.First()
			b := c.layoutQualifier(w.Layout)
			if explicit && (b.Kind == BlockStar || block.Kind == BlockStar || b.Elements() != block.Elements()) {
				c.errorf(w.Layout.First(), "COMP-09", "a type has one block size, but both %sand %sare given",
					block.spelling(), b.spelling())
				continue
			}
			block, explicit = b, true
		}
	}
	first := list[0].First()
	if q&(Strict|Relaxed) != 0 && q&Shared == 0 && !t.bad() && !c.system(first) {
		word := "strict"
		if q&Strict == 0 {
			word = "relaxed"
		}
		c.errorNote(first, "COMP-07", fmt.Sprintf("'%s' qualifies shared types only", word), syntax.NoPos,
			fmt.Sprintf("write '%s shared'", word))
	}
	if q&Shared == 0 {
		q &^= Strict | Relaxed // in headers of C they are the names of parameters
	}
	if q&Strict != 0 && q&Relaxed != 0 {
		c.errorf(first, "COMP-08", "a type cannot be both 'strict' and 'relaxed'")
		q &^= Relaxed
	}
	if q&Shared != 0 {
		if _, function := t.T.(*Func); function {
			c.errorf(first, "COMP-04", "a function type cannot be shared")
			q &^= Shared | Strict | Relaxed
			block = Block{}
		}
		if q&Atomic != 0 {
			at := first
			if out.atomic >= 0 {
				at = out.atomic
			}
			c.errorf(at, "COMP-36", "a shared type cannot be '_Atomic'")
			q &^= Atomic
		}
	}
	return WithQual(t, q, block)
}

// layoutQualifier is the value of a layout qualifier (UPC 1.3, 6.5.1.1).
func (c *checker) layoutQualifier(l *syntax.Layout) Block {
	switch {
	case l.Star:
		return Block{Kind: BlockStar}
	case l.Size == nil:
		return Block{Kind: BlockIndefinite}
	}
	c.rvalue(l.Size)
	e := c.info.Exprs[l.Size]
	v := e.Value
	at := l.Size.First()
	switch {
	case e.Type.bad() || v.Kind == OtherValue:
		return Block{}
	case v.Threads || v.Kind != IntegerValue && c.Threads == 0 && mentions(l.Size, "THREADS"):
		c.errorNote(at, "COMP-13", "the block size is not constant, since the number of threads is not known when "+
			"the program is compiled",
			syntax.NoPos, "with -T the number of threads is known")
		return Block{}
	case v.Kind != IntegerValue || !e.Type.IsInteger():
		c.errorf(at, "COMP-13", "the block size is not an integer constant expression")
		return Block{}
	case v.Int < 0 && c.signed(e.Type.basic()):
		c.errorf(at, "COMP-13", "the block size %d is negative", v.Int)
		return Block{}
	case v.Int > c.MaxBlock || v.Int < 0:
		c.tooLarge(at, v.Int)
		return Block{}
	}
	return sizedBlock(v.Int)
}

func (c *checker) tooLarge(at syntax.Pos, n int64) {
	c.errorf(at, "COMP-14", "the block size %d is more than UPC_MAX_BLOCK_SIZE, which is %d", uint64(n), c.MaxBlock)
}

// pointedTo checks a type that a pointer refers to: what a layout may stand at there.
func (c *checker) pointedTo(at syntax.Pos, t Type) Type {
	switch {
	case !t.IsShared():
		return t
	case t.IsVoid() && t.Block.Kind != BlockDefault:
		c.errorNote(at, "COMP-10", "'shared void' has no layout: a pointer to it is generic", syntax.NoPos,
			"write 'shared void *'")
		t.Block = Block{}
	case t.Block.Kind == BlockStar && t.Block.Size == 0:
		c.errorNote(at, "COMP-11", "[*] is allowed only for shared arrays, not in a pointer type", syntax.NoPos,
			"write the block size, such as 'shared [4] int *'")
		t = withBlock(t, Block{})
	}
	return t
}

// sharedObject checks the declaration of an object of shared type, and computes a layout of [*] (UPC 1.3, 6.5.1.1 and
// 6.5.2).
func (c *checker) sharedObject(at syntax.Pos, o *Object, s *specified) {
	if !o.Type.IsShared() || o.Type.bad() {
		return
	}
	switch {
	case s.thread:
		c.errorf(s.thrPos, "COMP-36", "'%s' cannot be both shared and '_Thread_local'", o.Name)
	case s.storage == "register":
		c.errorf(s.thrPos, "COMP-36", "'%s' cannot be both shared and 'register'", o.Name)
	case o.Storage == Automatic:
		c.errorNote(at, "COMP-01", fmt.Sprintf("'%s' is shared and cannot have automatic storage", o.Name),
			syntax.NoPos,
			fmt.Sprintf("declare '%s' 'static', or outside functions", o.Name))
	}
	c.sharedArray(at, &o.Type)
}

// sharedArray checks the dimensions of a shared array, and gives [*] its block size.
func (c *checker) sharedArray(at syntax.Pos, t *Type) {
	if _, array := t.T.(*Array); !array {
		if t.Block.Kind == BlockStar {
			t.Block.Size = 1 // of the one element
		}
		return
	}
	n, threads, known := elements(*t)
	if !known {
		return
	}
	if c.Threads == 0 {
		indefinite := t.Block.Kind == BlockIndefinite
		switch {
		case indefinite && threads:
			c.errorNote(at, "COMP-18", "THREADS cannot be a dimension of a shared array of indefinite layout, all of "+
				"which is on one thread",
				syntax.NoPos, "with -T the number of threads is known")
			return
		case !indefinite && !threads:
			c.errorNote(at, "COMP-15", "THREADS must be in one dimension of a shared array, since the number of "+
				"threads is not known when the program is compiled",
				syntax.NoPos, "multiply a dimension by THREADS, write 'shared []', or compile with -T")
			return
		}
	}
	if t.Block.Kind != BlockStar {
		return
	}
	block := n
	if c.Threads > 0 {
		block = ceil(n, int64(c.Threads))
	}
	if block > c.MaxBlock {
		c.tooLarge(at, block)
		block = 1
	}
	*t = withBlock(*t, Block{Kind: BlockStar, Size: max(block, 1)})
}

// opaqueNames are the types of UPC's libraries of which programs have pointers only (UPC 1.3, 7.2.2 and the libraries).
var opaqueNames = map[string]bool{"upc_lock_t": true, "upc_file_t": true, "upc_atomicdomain_t": true}

// opaqueName is the name of a type of UPC's libraries of which programs have pointers only, or "".
func opaqueName(t Type) string {
	if t.Name != nil && opaqueNames[t.Name.Name] {
		return t.Name.Name
	}
	return ""
}

// mentions says that THREADS or MYTHREAD is anywhere in an expression.
func mentions(x syntax.Expr, name string) bool { return occurrences(x, name) > 0 }

// occurrences counts where THREADS or MYTHREAD is in an expression.
func occurrences(x syntax.Expr, name string) int {
	n := 0
	syntax.Walk(x, func(x syntax.Node) bool {
		if t, ok := x.(*syntax.ThreadExpr); ok && t.Name == name {
			n++
		}
		return true
	})
	return n
}
