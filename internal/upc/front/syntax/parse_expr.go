package syntax

// precedence of the binary operators (C11 6.5.5 to 6.5.14); 0 is none.
func precedence(t *Token) int {
	if t.Kind != Punctuator {
		return 0
	}
	switch t.Text {
	case "||":
		return 1
	case "&&":
		return 2
	case "|":
		return 3
	case "^":
		return 4
	case "&":
		return 5
	case "==", "!=":
		return 6
	case "<", ">", "<=", ">=":
		return 7
	case "<<", ">>":
		return 8
	case "+", "-":
		return 9
	case "*", "/", "%":
		return 10
	}
	return 0
}

// expression reads an expression with comma operators (C11 6.5.17).
func (p *parser) expression() Expr {
	x := p.assignment()
	for p.at(",") {
		op := p.advance()
		y := p.assignment()
		x = &BinaryExpr{Span: p.span(x.First()), Op: ",", OpPos: op, X: x, Y: y}
	}
	return x
}

// assignment reads an assignment expression (C11 6.5.16). As in gcc's parser the left side may be any conditional
// expression: whether it is an lvalue is for the checker to say.
func (p *parser) assignment() Expr {
	p.enter()
	defer p.leave()
	x := p.conditional()
	if t := p.tok(); t.Kind == Punctuator {
		switch t.Text {
		case "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=":
			op := p.advance()
			y := p.assignment()
			return &AssignExpr{Span: p.span(x.First()), Op: t.Text, OpPos: op, X: x, Y: y}
		}
	}
	return x
}

// conditional reads a conditional expression (C11 6.5.15), which GNU C lets go without its middle.
func (p *parser) conditional() Expr {
	p.enter()
	defer p.leave()
	c := p.binary(1)
	if !p.accept("?") {
		return c
	}
	var x Expr
	if !p.at(":") {
		x = p.expression()
	}
	p.expect(":")
	y := p.conditional()
	return &CondExpr{Span: p.span(c.First()), C: c, X: x, Y: y}
}

// binary reads operators of at least the given precedence.
func (p *parser) binary(least int) Expr {
	x := p.cast()
	for {
		t := p.tok()
		level := precedence(t)
		if level < least || level == 0 {
			return x
		}
		op := p.advance()
		y := p.binary(level + 1)
		x = &BinaryExpr{Span: p.span(x.First()), Op: t.Text, OpPos: op, X: x, Y: y}
	}
}

// cast reads a cast expression (C11 6.5.4).
func (p *parser) cast() Expr {
	p.enter()
	defer p.leave()
	if !p.at("(") || !p.startsTypeName(p.peek(1)) {
		return p.unary()
	}
	start := p.advance()
	typ := p.typeName()
	p.expect(")")
	if p.at("{") {
		return p.postfix(p.compoundLiteral(start, typ))
	}
	x := p.cast()
	return &CastExpr{Span: p.span(start), Type: typ, X: x}
}

func (p *parser) compoundLiteral(start Pos, typ *TypeName) Expr {
	list := p.initList()
	return &CompoundLiteral{Span: p.span(start), Type: typ, Init: list}
}

// unary reads a unary expression (C11 6.5.3; UPC 1.3, 6.4.1 and 6.4.2).
func (p *parser) unary() Expr {
	t := p.tok()
	start := p.next
	switch {
	case t.Kind == Punctuator:
		switch t.Text {
		case "&&":
			p.advance()
			label := p.identifier()
			return &LabelAddr{Span: p.span(start), Label: label}
		case "++", "--":
			p.advance()
			p.enter()
			defer p.leave()
			x := p.unary()
			return &UnaryExpr{Span: p.span(start), Op: t.Text, X: x}
		case "&", "*", "+", "-", "~", "!":
			p.advance()
			x := p.cast()
			return &UnaryExpr{Span: p.span(start), Op: t.Text, X: x}
		}
	case t.Kind == Keyword:
		switch t.Text {
		case "__real__", "__imag__", "__extension__":
			p.advance()
			x := p.cast()
			return &UnaryExpr{Span: p.span(start), Op: t.Text, X: x}
		case "sizeof", "_Alignof", "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof":
			return p.size()
		}
	}
	return p.postfix(p.primary())
}

// size reads sizeof and its like, whose operand is a type in parentheses or a unary expression.
func (p *parser) size() Expr {
	e := &SizeExpr{Op: p.tok().Text}
	start := p.advance()
	if p.at("(") && p.startsTypeName(p.peek(1)) {
		open := p.advance()
		typ := p.typeName()
		p.expect(")")
		if p.at("{") {
			e.X = p.postfix(p.compoundLiteral(open, typ))
		} else {
			e.Type = typ
		}
	} else {
		p.enter()
		defer p.leave()
		e.X = p.unary()
	}
	e.Span = p.span(start)
	return e
}

// postfix reads what follows a primary expression (C11 6.5.2).
func (p *parser) postfix(x Expr) Expr {
	for {
		t := p.tok()
		if t.Kind != Punctuator {
			return x
		}
		switch t.Text {
		case "[":
			p.advance()
			i := p.expression()
			p.expect("]")
			x = &IndexExpr{Span: p.span(x.First()), X: x, I: i}
		case "(":
			p.advance()
			args := p.arguments()
			x = &CallExpr{Span: p.span(x.First()), Fun: x, Args: args}
		case ".", "->":
			p.advance()
			name := p.identifier()
			x = &MemberExpr{Span: p.span(x.First()), X: x, Arrow: t.Text == "->", Name: name}
		case "++", "--":
			p.advance()
			x = &PostfixExpr{Span: p.span(x.First()), Op: t.Text, X: x}
		default:
			return x
		}
	}
}

// arguments reads the arguments of a call and the closing parenthesis.
func (p *parser) arguments() []Expr {
	var args []Expr
	if p.accept(")") {
		return nil
	}
	for {
		args = append(args, p.assignment())
		if !p.accept(",") {
			p.expect(")")
			return args
		}
	}
}

// primary reads a primary expression (C11 6.5.1) or a builtin that has a special syntax.
func (p *parser) primary() Expr {
	t := p.tok()
	start := p.next
	switch t.Kind {
	case Name:
		if p.isTypedef(t.Text) {
			p.expected("expression")
		}
		p.advance()
		return &NameExpr{Ident{Span{start, start}, t.Text}}
	case IntegerConstant, FloatingConstant, CharacterConstant:
		p.advance()
		return &Literal{Span: Span{start, start}, Kind: t.Kind, Text: t.Text}
	case StringLiteral:
		return p.stringExpr()
	case Punctuator:
		if t.Text == "(" {
			return p.paren()
		}
	case Keyword:
		switch t.Text {
		case "THREADS", "MYTHREAD", "UPC_MAX_BLOCK_SIZE":
			p.advance()
			return &ThreadExpr{Span: Span{start, start}, Name: t.Text}
		case "_Generic":
			return p.generic()
		case "__builtin_va_arg", "__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_choose_expr",
			"__builtin_convertvector", "__builtin_has_attribute":
			return p.builtin()
		}
	}
	p.expected("expression")
	return nil
}

// stringExpr reads adjacent string literals.
func (p *parser) stringExpr() *StringExpr {
	e := &StringExpr{}
	start := p.next
	for p.tok().Kind == StringLiteral {
		e.Parts = append(e.Parts, p.tok().Text)
		p.advance()
	}
	e.Span = p.span(start)
	return e
}

// paren reads an expression in parentheses, or GNU's statement expression.
func (p *parser) paren() Expr {
	start := p.advance()
	if p.at("{") {
		body := p.block()
		p.expect(")")
		return &StmtExpr{Span: p.span(start), Body: body}
	}
	x := p.expression()
	p.expect(")")
	return &ParenExpr{Span: p.span(start), X: x}
}

// generic reads a generic selection (C11 6.5.1.1).
func (p *parser) generic() Expr {
	start := p.advance()
	e := &GenericExpr{}
	p.expect("(")
	e.X = p.assignment()
	for p.accept(",") {
		var c GenericCase
		if !p.accept("default") {
			c.Type = p.typeName()
		}
		p.expect(":")
		c.X = p.assignment()
		e.Cases = append(e.Cases, c)
	}
	p.expect(")")
	e.Span = p.span(start)
	return e
}

// builtin reads one of gcc's builtins that take types.
func (p *parser) builtin() Expr {
	e := &BuiltinExpr{Name: p.tok().Text}
	start := p.advance()
	p.expect("(")
	switch e.Name {
	case "__builtin_va_arg", "__builtin_convertvector":
		e.Args = append(e.Args, p.assignment())
		p.expect(",")
		e.Types = append(e.Types, p.typeName())
	case "__builtin_offsetof":
		e.Types = append(e.Types, p.typeName())
		p.expect(",")
		e.Designators = p.memberDesignator()
	case "__builtin_types_compatible_p":
		e.Types = append(e.Types, p.typeName())
		p.expect(",")
		e.Types = append(e.Types, p.typeName())
	case "__builtin_choose_expr":
		e.Args = append(e.Args, p.assignment())
		p.expect(",")
		e.Args = append(e.Args, p.assignment())
		p.expect(",")
		e.Args = append(e.Args, p.assignment())
	case "__builtin_has_attribute":
		if p.startsTypeName(p.tok()) {
			e.Types = append(e.Types, p.typeName())
		} else {
			e.Args = append(e.Args, p.assignment())
		}
		p.expect(",")
		p.attribute()
	}
	p.expect(")")
	e.Span = p.span(start)
	return e
}

// memberDesignator reads the second operand of offsetof: a name with members and indices after it.
func (p *parser) memberDesignator() []Designator {
	name := p.identifier()
	all := []Designator{{Span: name.Span, Name: &name}}
	for {
		start := p.next
		switch {
		case p.accept("."), p.accept("->"):
			name := p.identifier()
			all = append(all, Designator{Span: p.span(start), Name: &name})
		case p.accept("["):
			low := p.expression()
			p.expect("]")
			all = append(all, Designator{Span: p.span(start), Low: low})
		default:
			return all
		}
	}
}
