package syntax

// Stmt is a statement (C11 6.8; UPC 1.3, 6.6).
type Stmt interface {
	Node
	stmt()
}

// Statements.
type (
	// Block is { … }. Labels are names that GNU's __label__ declares at its start.
	Block struct {
		Span
		Labels []Ident
		Stmts  []Stmt
	}

	// DeclStmt is a declaration in a block.
	DeclStmt struct{ Decl }

	// ExprStmt is an expression and a semicolon; X is nil for the null statement.
	ExprStmt struct {
		Span
		X Expr
	}

	// IfStmt is if; Else may be nil.
	IfStmt struct {
		Span
		Cond       Expr
		Then, Else Stmt
	}

	// SwitchStmt is switch.
	SwitchStmt struct {
		Span
		X    Expr
		Body Stmt
	}

	// CaseStmt is case Low: or GNU's case Low ... High:, or default: if Low is nil.
	CaseStmt struct {
		Span
		Low, High Expr
		Body      Stmt // nil for a label at the end of a block
	}

	// LabelStmt is a label.
	LabelStmt struct {
		Span
		Label Ident
		Body  Stmt // nil for a label at the end of a block
	}

	// WhileStmt is while.
	WhileStmt struct {
		Span
		Cond Expr
		Body Stmt
	}

	// DoStmt is do … while.
	DoStmt struct {
		Span
		Body Stmt
		Cond Expr
	}

	// ForStmt is for; Init is a *DeclStmt, an *ExprStmt or nil.
	ForStmt struct {
		Span
		Init Stmt
		Cond Expr // may be nil
		Post Expr // may be nil
		Body Stmt
	}

	// ForallStmt is upc_forall (UPC 1.3, 6.6.2). Affinity is nil if it is empty or "continue"; Continue tells these
	// apart.
	ForallStmt struct {
		Span
		Init     Stmt
		Cond     Expr
		Post     Expr
		Affinity Expr
		Continue bool
		Body     Stmt
	}

	// BranchStmt is break, continue, or goto with a Label or, computed as GNU allows, with a Target.
	BranchStmt struct {
		Span
		Word   string
		Label  Ident
		Target Expr
	}

	// ReturnStmt is return; X may be nil.
	ReturnStmt struct {
		Span
		X Expr
	}

	// SyncStmt is upc_barrier, upc_notify, upc_wait or upc_fence; X may be nil (UPC 1.3, 6.6.1).
	SyncStmt struct {
		Span
		Word string
		X    Expr
	}

	// AsmStmt is GNU's asm; Operands are the expressions of its operands.
	AsmStmt struct {
		Span
		Operands []Expr
	}

	// PragmaStmt is a #pragma line in a block.
	PragmaStmt struct{ PragmaDecl }

	// BadStmt stands for a statement with an error that was reported.
	BadStmt struct{ Span }
)

func (*Block) stmt()      {}
func (*DeclStmt) stmt()   {}
func (*ExprStmt) stmt()   {}
func (*IfStmt) stmt()     {}
func (*SwitchStmt) stmt() {}
func (*CaseStmt) stmt()   {}
func (*LabelStmt) stmt()  {}
func (*WhileStmt) stmt()  {}
func (*DoStmt) stmt()     {}
func (*ForStmt) stmt()    {}
func (*ForallStmt) stmt() {}
func (*BranchStmt) stmt() {}
func (*ReturnStmt) stmt() {}
func (*SyncStmt) stmt()   {}
func (*AsmStmt) stmt()    {}
func (*PragmaStmt) stmt() {}
func (*BadStmt) stmt()    {}
