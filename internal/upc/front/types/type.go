// Package types checks a tree of internal/upc/front/syntax by the rules of C11 (with GNU's extensions) and UPC 1.3, and
// says the type of every expression, the object behind every name, and the layout of every type, for a data model of
// the target: LP64 of x86-64 or AArch64 Linux.
//
// Sources: ISO C11 6.2 to 6.9; UPC Language Specifications 1.3, section 6; the System V ABI of the processors.
package types

// Qual is a set of type qualifiers.
type Qual uint8

// Qualifiers. Strict and Relaxed are those that a declaration writes, not what a pragma says.
const (
	Const Qual = 1 << iota
	Volatile
	Restrict
	Atomic
	Shared
	Strict
	Relaxed
)

// Type is a qualified type. Block is the layout of a shared type, and zero otherwise. Qualifiers of an array are those
// of its ultimate elements (C11 6.7.3p9; UPC 1.3, 6.5.1.1): they and Block stand at the array and at its element alike.
type Type struct {
	T    Underlying
	Qual Qual
	// Align is an alignment in bytes that the type's typedef gives with GNU's attribute aligned, or 0.
	Align int32
	Block Block
	// Name is the typedef by which the source names the type, for messages and for declarations that are printed, or
	// nil.
	Name *Object
}

// BlockKind tells the forms of a layout qualifier.
type BlockKind uint8

// Layouts (UPC 1.3, 6.5.1.1).
const (
	BlockDefault    BlockKind = iota // no layout qualifier: blocks of one element
	BlockSize                        // [Size], with Size > 0
	BlockIndefinite                  // [] or [0]
	BlockStar                        // [*]
)

// Block is a layout. For BlockStar, Size is the size that was computed for an object, and 0 in the dynamic THREADS
// environment if it depends on THREADS.
type Block struct {
	Kind BlockKind
	Size int64
}

// Elements is the block size that counts for pointers: 0 for indefinite, 1 without a qualifier.
func (b Block) Elements() int64 {
	switch b.Kind {
	case BlockDefault:
		return 1
	case BlockIndefinite:
		return 0
	}
	return b.Size
}

// Underlying is a type without its qualifiers: *Basic, *Pointer, *Array, *Func, *Struct, *Enum, *Vector or *Opaque.
type Underlying interface{ underlying() }

// BasicKind is the kind of an arithmetic type or void.
type BasicKind uint8

// Basic types.
const (
	Invalid BasicKind = iota // of an expression with an error that was reported; it is compatible with everything
	Void
	Bool
	Char // plain char, signed on x86-64
	SChar
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	LongLong
	ULongLong
	Int128
	UInt128
	Float
	Double
	LongDouble
	Float16
	Float32
	Float64
	Float128
	Float32x
	Float64x
	ComplexFloat
	ComplexDouble
	ComplexLongDouble
	ComplexFloat128
	ComplexInt // GNU: complex integers, opaque
	ComplexFloat16
	ComplexFloat32
	ComplexFloat64
	ComplexFloat32x
	ComplexFloat64x
)

// Basic is an arithmetic type or void; there is one of each kind, given by BasicType.
type Basic struct{ Kind BasicKind }

// Pointer points to Elem; it is a pointer-to-shared if Elem.Qual has Shared.
type Pointer struct{ Elem Type }

// LenKind tells what is known of the length of an array.
type LenKind uint8

// Lengths of arrays.
const (
	LenKnown      LenKind = iota // Len elements
	LenIncomplete                // []
	LenVariable                  // a variable-length array, or [*]
	LenThreads                   // Len * THREADS in the dynamic THREADS environment (UPC 1.3, 6.5.2)
)

// Array has Len elements as Kind says.
type Array struct {
	Elem Type
	Kind LenKind
	Len  int64
}

// Func is a function type.
type Func struct {
	Result    Type
	Params    []Type // adjusted: arrays and functions are pointers
	Prototype bool
	Variadic  bool
}

// Field is a member of a struct or union. Offset is in bytes. A bit-field has Width bits from bit Bit (0 to 7, from the
// least significant) of the byte at Offset on; no more bytes than these bits are in belong to it.
type Field struct {
	Name   string // empty for an unnamed struct or union, whose members are found through it
	Type   Type
	Offset int64
	Bits   bool
	Bit    int
	Width  int
}

// Struct is a struct or union. Complete is false as long as its members are not known.
type Struct struct {
	Tag         string
	Union       bool
	Complete    bool
	Fields      []Field
	Size, Align int64
	// Typedef is the first typedef that names an untagged struct or union, or nil.
	Typedef *Object
	// Transparent says that a union has GNU's attribute transparent_union.
	Transparent bool
}

// Enum is an enumerated type; Under is the integer type that gcc gives it.
type Enum struct {
	Tag      string
	Complete bool
	Under    BasicKind
	// Typedef is the first typedef that names an untagged enum, or nil.
	Typedef *Object
}

// Vector is a vector type of GNU's attribute vector_size.
type Vector struct {
	Elem Type
	Size int64 // bytes
}

// Opaque is a type of which only size and alignment are known, such as __builtin_va_list.
type Opaque struct {
	Name        string
	Size, Align int64
}

func (*Basic) underlying()   {}
func (*Pointer) underlying() {}
func (*Array) underlying()   {}
func (*Func) underlying()    {}
func (*Struct) underlying()  {}
func (*Enum) underlying()    {}
func (*Vector) underlying()  {}
func (*Opaque) underlying()  {}

// IsShared says that objects of the type are shared.
func (t Type) IsShared() bool { return t.Qual&Shared != 0 }

// IsPointerToShared says that the type is a pointer to a shared type.
func (t Type) IsPointerToShared() bool {
	p, ok := t.T.(*Pointer)
	return ok && p.Elem.IsShared()
}
