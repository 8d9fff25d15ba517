package syntax

// Decl is an external declaration or a declaration in a block (C11 6.7, 6.9).
type Decl interface {
	Node
	decl()
}

// Declarations.
type (
	// VarDecl declares objects, functions, typedefs or, without Names, a struct, union or enum alone. Its last token is
	// the semicolon.
	VarDecl struct {
		Span
		Specs *Specs
		Names []*InitDeclarator
	}

	// FuncDecl is the definition of a function. Params holds the declarations of an old-style definition.
	FuncDecl struct {
		Span
		Specs  *Specs
		Name   *Declarator
		Params []*VarDecl
		Body   *Block
	}

	// StaticAssert is _Static_assert; Message may be nil.
	StaticAssert struct {
		Span
		Cond    Expr
		Message *StringExpr
	}

	// AsmDecl is asm("…") outside of functions.
	AsmDecl struct{ Span }

	// PragmaDecl is a #pragma line. Words are its tokens after "pragma"; Upc is "strict", "relaxed" or "" for a pragma
	// that is not UPC's.
	PragmaDecl struct {
		Span
		Words []string
		Upc   string
	}

	// EmptyDecl is a lone semicolon.
	EmptyDecl struct{ Span }

	// BadDecl stands for a declaration with an error that was reported.
	BadDecl struct{ Span }
)

func (*VarDecl) decl()      {}
func (*FuncDecl) decl()     {}
func (*StaticAssert) decl() {}
func (*AsmDecl) decl()      {}
func (*PragmaDecl) decl()   {}
func (*EmptyDecl) decl()    {}
func (*BadDecl) decl()      {}

// Specs are declaration specifiers, or the specifiers and qualifiers of a member or a type name. Those of a function
// without a type are empty.
type Specs struct {
	Span
	// Storage holds typedef, extern, static, auto, register, _Thread_local; Function holds inline and _Noreturn.
	Storage, Function []string
	// Words are the keywords of an arithmetic type or void in the order of the text: "unsigned", "long", "_Complex",
	// "__int128", "_Float128", "__builtin_va_list", "__auto_type" and the like.
	Words      []string
	Struct     *StructSpec
	Enum       *EnumSpec
	Typedef    *Ident      // a typedef name
	Typeof     *TypeofSpec // typeof(…)
	Atomic     *TypeName   // _Atomic(type)
	Quals      []*Qualifier
	Align      []*AlignSpec
	Attributes []*Attribute
	Extension  bool // __extension__ stands before it
	// Bad says that an error in the type was reported, which is therefore unknown.
	Bad bool
}

// Qualifier is const, volatile, restrict, _Atomic, shared, strict or relaxed. Layout is the layout qualifier of shared,
// or nil.
type Qualifier struct {
	Span
	Word   string
	Layout *Layout
}

// Layout is a layout qualifier (UPC 1.3, 6.5.1.1): [Size], [*] if Star, [] if neither.
type Layout struct {
	Span
	Star bool
	Size Expr
}

// AlignSpec is _Alignas of a type or a constant; one is nil.
type AlignSpec struct {
	Span
	Type *TypeName
	X    Expr
}

// TypeofSpec is typeof of an expression or a type; one is nil.
type TypeofSpec struct {
	Span
	X    Expr
	Type *TypeName
}

// Attribute is one attribute of a GNU attribute list, without its underscores ("aligned", "mode", "vector_size",
// "packed"). Tokens are those of its arguments, without the outer parentheses; Args are the arguments that parse as
// expressions, or nil.
type Attribute struct {
	Span
	Name   string
	Tokens []Token
	Args   []Expr
}

// StructSpec is struct or union. Members is nil if there is no body (HasBody false).
type StructSpec struct {
	Span
	Union      bool
	Tag        *Ident // may be nil
	HasBody    bool
	Members    []*Member
	Attributes []*Attribute
}

// Member is a declaration inside a struct or union. Names is empty for an unnamed struct or union. Assert is a
// _Static_assert that stands in the place of a member.
type Member struct {
	Span
	Specs  *Specs
	Names  []*MemberName
	Assert *StaticAssert
}

// MemberName is one declarator of a member; Width is that of a bit-field. Declarator is nil for an unnamed bit-field.
type MemberName struct {
	Span
	Declarator *Declarator
	Width      Expr
	Attributes []*Attribute
}

// EnumSpec is enum.
type EnumSpec struct {
	Span
	Tag        *Ident
	HasBody    bool
	Values     []*Enumerator
	Attributes []*Attribute
}

// Enumerator is a constant of an enum; Value may be nil.
type Enumerator struct {
	Span
	Name  Ident
	Value Expr
}

// Declarator is a name with what its type derives from the specifiers, listed from the name outwards: for "*a[3]" an
// array, then a pointer; for "(*f)(int)" a pointer, then a function. Name is nil in an abstract declarator.
type Declarator struct {
	Span
	Name       *Ident
	Parts      []DeclPart
	Asm        *StringExpr // asm("name") after it
	Attributes []*Attribute
}

// DeclPart is one step of a declarator: *PointerPart, *ArrayPart or *FuncPart.
type DeclPart interface {
	Node
	part()
}

// PointerPart is * with its qualifiers.
type PointerPart struct {
	Span
	Quals      []*Qualifier
	Attributes []*Attribute
}

// ArrayPart is [Size]; Star is [*]; Static and Quals stand in parameters only.
type ArrayPart struct {
	Span
	Size   Expr // may be nil
	Star   bool
	Static bool
	Quals  []*Qualifier
}

// FuncPart is (parameters). Prototype is false for () and for a list of names, which is Names.
type FuncPart struct {
	Span
	Prototype bool
	Params    []*Param
	Variadic  bool
	Names     []Ident
}

func (*PointerPart) part() {}
func (*ArrayPart) part()   {}
func (*FuncPart) part()    {}

// Param is a parameter; Declarator is never nil, but may be abstract and empty.
type Param struct {
	Span
	Specs      *Specs
	Declarator *Declarator
}

// TypeName is a type where it stands alone: in casts, sizeof and the like.
type TypeName struct {
	Span
	Specs      *Specs
	Declarator *Declarator
}

// InitDeclarator is a declarator with its initialiser, which is nil, an *InitExpr or an *InitList.
type InitDeclarator struct {
	Span
	Declarator *Declarator
	Init       Init
}

// Init is an initialiser.
type Init interface {
	Node
	init()
}

// InitExpr is an initialiser that is an expression.
type InitExpr struct {
	Span
	X Expr
}

// InitList is { … }.
type InitList struct {
	Span
	Items []*InitItem
}

// InitItem is one item of a list with the designators before it.
type InitItem struct {
	Span
	Designators []Designator
	Value       Init
}

// Designator is .Name, [Low], or GNU's [Low ... High].
type Designator struct {
	Span
	Name      *Ident
	Low, High Expr
}

func (*InitExpr) init() {}
func (*InitList) init() {}
