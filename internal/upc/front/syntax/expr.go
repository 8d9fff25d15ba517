package syntax

// Expr is an expression (C11 6.5 with GNU's and UPC's additions).
type Expr interface {
	Node
	expr()
}

// Expressions.
type (
	// NameExpr is a name that is used as an expression: a variable, a function or an enumeration constant.
	NameExpr struct{ Ident }

	// Literal is an integer, floating or character constant.
	Literal struct {
		Span
		Kind Kind
		Text string
	}

	// StringExpr is one or more adjacent string literals, as written.
	StringExpr struct {
		Span
		Parts []string
	}

	// ThreadExpr is THREADS, MYTHREAD or UPC_MAX_BLOCK_SIZE (UPC 1.3, 6.3 and 6.4).
	ThreadExpr struct {
		Span
		Name string
	}

	// ParenExpr is an expression in parentheses.
	ParenExpr struct {
		Span
		X Expr
	}

	// UnaryExpr is a prefix operator: & * + - ~ ! ++ -- __real__ __imag__ __extension__.
	UnaryExpr struct {
		Span
		Op string
		X  Expr
	}

	// PostfixExpr is X++ or X--.
	PostfixExpr struct {
		Span
		Op string
		X  Expr
	}

	// BinaryExpr is an operator between two operands that is not an assignment; the comma operator too.
	BinaryExpr struct {
		Span
		Op    string
		OpPos Pos
		X, Y  Expr
	}

	// AssignExpr is = or a compound assignment such as +=.
	AssignExpr struct {
		Span
		Op    string
		OpPos Pos
		X, Y  Expr
	}

	// CondExpr is C ? X : Y; X is nil where GNU's C ?: Y leaves it out.
	CondExpr struct {
		Span
		C, X, Y Expr
	}

	// CallExpr is a call.
	CallExpr struct {
		Span
		Fun  Expr
		Args []Expr
	}

	// IndexExpr is X[I].
	IndexExpr struct {
		Span
		X, I Expr
	}

	// MemberExpr is X.Name, or X->Name if Arrow.
	MemberExpr struct {
		Span
		X     Expr
		Arrow bool
		Name  Ident
	}

	// CastExpr is (Type)X.
	CastExpr struct {
		Span
		Type *TypeName
		X    Expr
	}

	// CompoundLiteral is (Type){…}.
	CompoundLiteral struct {
		Span
		Type *TypeName
		Init *InitList
	}

	// SizeExpr is sizeof, _Alignof, upc_localsizeof, upc_blocksizeof or upc_elemsizeof of an expression or a type; one
	// of X and Type is nil.
	SizeExpr struct {
		Span
		Op   string
		X    Expr
		Type *TypeName
	}

	// GenericExpr is _Generic(X, …).
	GenericExpr struct {
		Span
		X     Expr
		Cases []GenericCase
	}

	// StmtExpr is GNU's ({ … }).
	StmtExpr struct {
		Span
		Body *Block
	}

	// LabelAddr is GNU's &&label.
	LabelAddr struct {
		Span
		Label Ident
	}

	// BuiltinExpr is a builtin that takes types: __builtin_va_arg, __builtin_offsetof, __builtin_types_compatible_p,
	// __builtin_choose_expr, __builtin_convertvector. Args holds its expressions and Types its types, each in the order
	// of the text; a member designator of offsetof is in Designators.
	BuiltinExpr struct {
		Span
		Name        string
		Args        []Expr
		Types       []*TypeName
		Designators []Designator
	}

	// BadExpr stands for an expression with an error that was reported.
	BadExpr struct{ Span }
)

// GenericCase is one association of _Generic; Type is nil for default.
type GenericCase struct {
	Type *TypeName
	X    Expr
}

func (*NameExpr) expr()        {}
func (*Literal) expr()         {}
func (*StringExpr) expr()      {}
func (*ThreadExpr) expr()      {}
func (*ParenExpr) expr()       {}
func (*UnaryExpr) expr()       {}
func (*PostfixExpr) expr()     {}
func (*BinaryExpr) expr()      {}
func (*AssignExpr) expr()      {}
func (*CondExpr) expr()        {}
func (*CallExpr) expr()        {}
func (*IndexExpr) expr()       {}
func (*MemberExpr) expr()      {}
func (*CastExpr) expr()        {}
func (*CompoundLiteral) expr() {}
func (*SizeExpr) expr()        {}
func (*GenericExpr) expr()     {}
func (*StmtExpr) expr()        {}
func (*LabelAddr) expr()       {}
func (*BuiltinExpr) expr()     {}
func (*BadExpr) expr()         {}

// Unparen takes the parentheses off an expression.
func Unparen(e Expr) Expr {
	for {
		p, ok := e.(*ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
