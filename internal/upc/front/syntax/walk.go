package syntax

// Walk calls f for a node and, as long as f returns true, for the nodes inside of it. These come in the order of the
// text, except for the parts of a declarator, which come from the name outwards.
func Walk(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	Children(n, func(child Node) { Walk(child, f) })
}

// Children calls f for the nodes just inside of a node, in the order of Walk.
func Children(n Node, f func(Node)) {
	switch n := n.(type) {
	case Expr:
		exprChildren(n, f)
	case Stmt:
		stmtChildren(n, f)
	case Decl:
		declChildren(n, f)
	default:
		partChildren(n, f)
	}
}

// each visits the nodes of a list.
func each[N Node](list []N, f func(Node)) {
	for _, n := range list {
		f(n)
	}
}

// visit calls f for an expression, statement or initialiser if there is one.
func visit[N interface {
	comparable
	Node
}](n N, f func(Node)) {
	var none N
	if n != none {
		f(n)
	}
}

func designators(list []Designator, f func(Node)) {
	for i := range list {
		f(&list[i])
	}
}

func exprChildren(n Expr, f func(Node)) {
	switch n := n.(type) {
	case *ParenExpr:
		f(n.X)
	case *UnaryExpr:
		f(n.X)
	case *PostfixExpr:
		f(n.X)
	case *BinaryExpr:
		f(n.X)
		f(n.Y)
	case *AssignExpr:
		f(n.X)
		f(n.Y)
	case *CondExpr:
		f(n.C)
		visit(n.X, f)
		f(n.Y)
	case *CallExpr:
		f(n.Fun)
		each(n.Args, f)
	case *IndexExpr:
		f(n.X)
		f(n.I)
	case *MemberExpr:
		f(n.X)
	case *CastExpr:
		f(n.Type)
		f(n.X)
	case *CompoundLiteral:
		f(n.Type)
		f(n.Init)
	case *SizeExpr:
		visit(n.X, f)
		visit(n.Type, f)
	case *GenericExpr:
		f(n.X)
		for _, c := range n.Cases {
			visit(c.Type, f)
			f(c.X)
		}
	case *StmtExpr:
		f(n.Body)
	case *BuiltinExpr:
		builtinChildren(n, f)
	}
}

// builtinChildren visits the operands in the order of the text: types come first except in two builtins.
func builtinChildren(n *BuiltinExpr, f func(Node)) {
	if n.Name == "__builtin_va_arg" || n.Name == "__builtin_convertvector" {
		each(n.Args, f)
		each(n.Types, f)
		return
	}
	each(n.Types, f)
	each(n.Args, f)
	designators(n.Designators, f)
}

func stmtChildren(n Stmt, f func(Node)) {
	switch n := n.(type) {
	case *Block:
		each(n.Stmts, f)
	case *DeclStmt:
		f(n.Decl)
	case *ExprStmt:
		visit(n.X, f)
	case *IfStmt:
		f(n.Cond)
		f(n.Then)
		visit(n.Else, f)
	case *SwitchStmt:
		f(n.X)
		f(n.Body)
	case *CaseStmt:
		visit(n.Low, f)
		visit(n.High, f)
		visit(n.Body, f)
	case *LabelStmt:
		visit(n.Body, f)
	case *WhileStmt:
		f(n.Cond)
		f(n.Body)
	case *DoStmt:
		f(n.Body)
		f(n.Cond)
	case *ForStmt:
		visit(n.Init, f)
		visit(n.Cond, f)
		visit(n.Post, f)
		f(n.Body)
	case *ForallStmt:
		visit(n.Init, f)
		visit(n.Cond, f)
		visit(n.Post, f)
		visit(n.Affinity, f)
		f(n.Body)
	case *BranchStmt:
		visit(n.Target, f)
	case *ReturnStmt:
		visit(n.X, f)
	case *SyncStmt:
		visit(n.X, f)
	case *AsmStmt:
		each(n.Operands, f)
	}
}

func declChildren(n Decl, f func(Node)) {
	switch n := n.(type) {
	case *VarDecl:
		f(n.Specs)
		each(n.Names, f)
	case *FuncDecl:
		f(n.Specs)
		f(n.Name)
		each(n.Params, f)
		f(n.Body)
	case *StaticAssert:
		f(n.Cond)
		visit(n.Message, f)
	}
}

// partChildren visits the parts of declarations and initialisers.
func partChildren(n Node, f func(Node)) {
	switch n := n.(type) {
	case *Specs:
		specsChildren(n, f)
	case *Qualifier:
		visit(n.Layout, f)
	case *Layout:
		visit(n.Size, f)
	case *AlignSpec:
		visit(n.Type, f)
		visit(n.X, f)
	case *TypeofSpec:
		visit(n.X, f)
		visit(n.Type, f)
	case *Attribute:
		each(n.Args, f)
	case *StructSpec:
		each(n.Members, f)
		each(n.Attributes, f)
	case *Member:
		visit(n.Specs, f)
		each(n.Names, f)
		visit(n.Assert, f)
	case *MemberName:
		visit(n.Declarator, f)
		visit(n.Width, f)
		each(n.Attributes, f)
	case *EnumSpec:
		each(n.Values, f)
		each(n.Attributes, f)
	case *Enumerator:
		visit(n.Value, f)
	case *Declarator:
		each(n.Parts, f)
		visit(n.Asm, f)
		each(n.Attributes, f)
	case *PointerPart:
		each(n.Quals, f)
		each(n.Attributes, f)
	case *ArrayPart:
		each(n.Quals, f)
		visit(n.Size, f)
	case *FuncPart:
		each(n.Params, f)
	case *Param:
		f(n.Specs)
		f(n.Declarator)
	case *TypeName:
		f(n.Specs)
		f(n.Declarator)
	case *InitDeclarator:
		f(n.Declarator)
		visit(n.Init, f)
	case *InitExpr:
		f(n.X)
	case *InitList:
		each(n.Items, f)
	case *InitItem:
		designators(n.Designators, f)
		f(n.Value)
	case *Designator:
		visit(n.Low, f)
		visit(n.High, f)
	}
}

func specsChildren(n *Specs, f func(Node)) {
	each(n.Quals, f)
	visit(n.Struct, f)
	visit(n.Enum, f)
	visit(n.Typeof, f)
	visit(n.Atomic, f)
	each(n.Align, f)
	each(n.Attributes, f)
}
