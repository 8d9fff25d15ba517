package types

import "math/bits"

// pointer is the size and alignment of a pointer.
func (c Config) pointer(t *Pointer) (size, align int64) {
	if t.Elem.IsShared() && c.PointerSize != 0 {
		return c.PointerSize, c.PointerAlign
	}
	return 8, 8
}

// signed says whether an integer kind is signed; plain char is not on AArch64.
func (c Config) signed(k BasicKind) bool {
	if k == Char && c.Target == AArch64 {
		return false
	}
	return basicFacts[k].signed
}

// bitsOf is the width of an integer kind.
func bitsOf(k BasicKind) int {
	if k == Bool {
		return 1
	}
	return int(basicFacts[k].size) * 8
}

// integer makes the value of an integer constant.
func integer(n int64) Value { return Value{Kind: IntegerValue, Int: n} }

// Sizeof is the value of sizeof (C11 6.5.3.4) in bytes: a multiple of THREADS for arrays whose length is one in the
// dynamic environment, and NotConstant for variable-length arrays and incomplete types. As GNU has it, it is 1 for void
// and functions.
func (c Config) Sizeof(t Type) Value {
	switch u := t.T.(type) {
	case *Basic:
		if u.Kind == Invalid {
			return Value{}
		}
		if u.Kind == Void {
			return integer(1)
		}
		return integer(basicFacts[u.Kind].size)
	case *Enum:
		if !u.Complete {
			return integer(4)
		}
		return integer(basicFacts[u.Under].size)
	case *Pointer:
		size, _ := c.pointer(u)
		return integer(size)
	case *Func:
		return integer(1)
	case *Struct:
		if u.Complete {
			return integer(u.Size)
		}
	case *Vector:
		return integer(u.Size)
	case *Opaque:
		return integer(u.Size)
	case *Array:
		if u.Kind == LenIncomplete || u.Kind == LenVariable {
			return Value{}
		}
		v := c.Sizeof(u.Elem)
		if v.Kind != IntegerValue {
			return Value{}
		}
		if u.Kind == LenThreads {
			if v.Threads {
				return Value{}
			}
			v.Threads = true
		}
		n, ok := multiply(v.Int, u.Len)
		if !ok {
			return Value{}
		}
		v.Int = n
		return v
	}
	return Value{}
}

// multiply is a*b for sizes, or false if it does not fit.
func multiply(a, b int64) (int64, bool) {
	if a < 0 || b < 0 {
		return 0, false
	}
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int64(low), high == 0 && int64(low) >= 0
}

// Alignof is the alignment of a type in bytes as gcc's __alignof__ and _Alignof of types give it, 1 for incomplete
// types.
func (c Config) Alignof(t Type) int64 {
	if t.Align != 0 {
		return int64(t.Align)
	}
	switch u := t.T.(type) {
	case *Basic:
		f := basicFacts[u.Kind]
		if f.align != 0 {
			return f.align
		}
		return max(f.size, 1)
	case *Enum:
		if !u.Complete {
			return 4
		}
		return basicFacts[u.Under].size
	case *Pointer:
		_, align := c.pointer(u)
		return align
	case *Struct:
		return max(u.Align, 1)
	case *Vector:
		if c.Target == AArch64 {
			return min(u.Size, 16)
		}
		return u.Size
	case *Opaque:
		return u.Align
	case *Array:
		return c.Alignof(u.Elem)
	}
	return 1
}

// largestAlignment is what GNU's attribute aligned means without an argument.
const largestAlignment = 16

// elements counts the ultimate elements of a type: count, or count times THREADS; known is false where it is not
// constant.
func elements(t Type) (count int64, threads, known bool) {
	count = 1
	for {
		a, ok := t.T.(*Array)
		if !ok {
			return count, threads, true
		}
		if a.Kind == LenIncomplete || a.Kind == LenVariable || a.Kind == LenThreads && threads {
			return 0, threads, false
		}
		threads = threads || a.Kind == LenThreads
		if count, ok = multiply(count, a.Len); !ok {
			return 0, threads, false
		}
		t = a.Elem
	}
}

// ElemSize is the value of upc_elemsizeof: the size of the ultimate element of a shared type (UPC 1.3, 6.4.3.3).
func (c Config) ElemSize(t Type) Value { return c.Sizeof(ultimate(t)) }

// BlockSize is the value of upc_blocksizeof: 0 for an indefinite layout (UPC 1.3, 6.4.3.2).
func (c Config) BlockSize(t Type) Value { return integer(t.Block.Elements()) }

// LocalSize is the value of upc_localsizeof: the most bytes of the shared object that any thread has (UPC 1.3,
// 6.4.3.1). It is constant in the dynamic environment too, since the number of elements is there a multiple of THREADS.
func (c Config) LocalSize(t Type) Value {
	size := c.ElemSize(t)
	n, threads, known := elements(t)
	if size.Kind != IntegerValue || !known {
		return Value{}
	}
	if b := t.Block.Elements(); b > 0 {
		if _, array := t.T.(*Array); array {
			n = ceil(n, b)
			if !threads && c.Threads > 0 {
				n = ceil(n, int64(c.Threads))
			}
			n *= b
		}
	}
	bytes, ok := multiply(n, size.Int)
	if !ok {
		return Value{}
	}
	return integer(bytes)
}

// ceil is a/b rounded up, for a >= 0 and b > 0.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
