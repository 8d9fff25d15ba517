package types

import "unknot/internal/upc/front/syntax"

// Threads is the THREADS environment: 0 is dynamic, else the number of threads of the static environment.
type Threads int

// Target is the processor whose data model the checker follows.
type Target uint8

// Targets, both with Linux and LP64.
const (
	X8664 Target = iota
	AArch64
)

// Config is the options of the checker.
type Config struct {
	Target  Target
	Threads Threads
	// MaxBlock is UPC_MAX_BLOCK_SIZE.
	MaxBlock int64
	// PointerSize and PointerAlign are those of a pointer-to-shared as the run-time represents it, in bytes.
	PointerSize, PointerAlign int64
	// Strict is the memory mode at the start of the file: true for strict (a command line that includes upc_strict.h).
	Strict bool
}

// Value is the value of a constant expression: exactly one of the fields is meant, as Kind says.
type Value struct {
	Kind  ValueKind
	Int   int64   // the bits of an integer of at most 64 bits; its type says whether it is signed
	Float float64 // rounded to double
	// Threads says that the value is Int * THREADS, in the dynamic THREADS environment.
	Threads bool
}

// ValueKind is the kind of a constant.
type ValueKind uint8

// Kinds of constants.
const (
	NotConstant ValueKind = iota
	IntegerValue
	FloatValue
	AddressValue // an address constant (C11 6.6p9), whose value the linker knows
	OtherValue   // a constant that the compiler knows and the checker does not, such as one of __int128
)

// ExprInfo is what the checker says of an expression. Type is the type before the conversions that its place asks for
// (an array is an array here).
type ExprInfo struct {
	Type   Type
	Lvalue bool
	Value  Value
	// Bits is the field if the expression is a bit-field, or nil.
	Bits *Field
	// Strict says, of an lvalue of shared type, that accesses to it are strict, by its type or by the pragma in force.
	Strict bool
}

// ObjectKind is what a name stands for.
type ObjectKind uint8

// Kinds of objects.
const (
	ObjVar ObjectKind = iota
	ObjFunc
	ObjTypedef
	ObjEnumConst
	ObjParam
	ObjLabel
)

// Storage is the storage duration and linkage of an object.
type Storage uint8

// Storage classes.
const (
	Automatic   Storage = iota // and register
	StaticLocal                // static in a block
	Internal                   // file scope, static
	External                   // file scope, or extern
	ThreadLocal                // _Thread_local
	NoStorage                  // typedefs, constants, labels
)

// Object is a declared name. Redeclarations share one Object, whose Type is the composite type.
type Object struct {
	Kind    ObjectKind
	Name    string
	Type    Type
	Storage Storage
	// Defined says that the translation unit defines it; a tentative definition does.
	Defined bool
	Inline  bool
	// Decl is the name in its first declaration, and Def in its definition, or nil.
	Decl, Def *syntax.Ident
	// Function is the function whose body declares it, or nil for file scope.
	Function *syntax.FuncDecl
	Value    int64 // of an enumeration constant
	// Align is the alignment in bytes that attributes or _Alignas ask for, or 0.
	Align int64

	initialised bool // an initialiser was seen
	gnuInline   bool // defined with GNU's gnu_inline, which may be defined again
}

// Info is what Check finds out.
type Info struct {
	Exprs map[syntax.Expr]*ExprInfo
	// Converted holds, for an expression that its context converts implicitly (assignment, argument, return,
	// initialiser, operands of an operator, decay of an array), the type that it becomes, if that differs from
	// ExprInfo.Type; qualifiers other than shared do not count. A shared lvalue whose value is read always has an entry
	// (its type without shared, or what that is converted to further), and one that is not read (operand of & and of
	// sizeof, left side of = and of a member) has none. Of an expression in parentheses the outermost has the entry; a
	// comma's right side, both branches of ?: and the last expression of ({ }) have their own.
	Converted map[syntax.Expr]Type
	// Uses is the object behind each name that is used, Defs behind each that is declared (by its *syntax.Ident).
	Uses map[*syntax.NameExpr]*Object
	Defs map[*syntax.Ident]*Object
	// Types are the types of type names, and Declarators those of declarators after adjustment.
	Types       map[*syntax.TypeName]Type
	Declarators map[*syntax.Declarator]Type
	// Structs are the types behind struct and union specifiers, Enums those behind enum specifiers.
	Structs map[*syntax.StructSpec]*Struct
	Enums   map[*syntax.EnumSpec]*Enum
	// Members is the path of fields that X.Name goes, through unnamed structs.
	Members map[*syntax.MemberExpr][]*Field
	// Starts holds, for each initialiser of pointer-to-shared type within an object of static storage, at which offsets
	// in bytes of the object's private representation it stands (several in GNU's [low ... high]).
	Starts map[*syntax.InitExpr][]int64
	// Inits is the type of the subobject that each brace-enclosed list initialises.
	Inits map[*syntax.InitList]Type
	// Objects are those of file scope, in the order of their first declaration, and static ones in blocks.
	Objects []*Object
	// Diagnostics are in the order of their places.
	Diagnostics []syntax.Diagnostic
}
