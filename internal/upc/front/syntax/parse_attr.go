package syntax

import "strings"

// attributes reads GNU's attribute lists (GNU C manual, "Attribute Syntax").
func (p *parser) attributes() []*Attribute {
	var all []*Attribute
	for p.at("__attribute__") {
		p.advance()
		p.expect("(")
		p.expect("(")
		for !p.at(")") {
			if p.accept(",") {
				continue
			}
			all = append(all, p.attribute())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		p.expect(")")
	}
	return all
}

// attribute reads one attribute, whose name may be a keyword.
func (p *parser) attribute() *Attribute {
	start := p.next
	a := &Attribute{Name: plainName(p.written(start))}
	p.identifierOrKeyword()
	if p.at("(") {
		open := p.next
		end := p.closer[open]
		if end == 0 {
			p.expect(")")
		}
		a.Tokens = p.file.Tokens[open+1 : end]
		a.Args = p.attributeArgs(open, end)
		p.jump(end)
		p.advance()
	}
	a.Span = p.span(start)
	return a
}

// plainName takes the underscores off an attribute's name: __aligned__ is aligned.
func plainName(name string) string {
	if len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		return name[2 : len(name)-2]
	}
	return name
}

// attributeArgs reads the arguments of an attribute as expressions, if they are. Others, such as those of a format, are
// nobody's error.
func (p *parser) attributeArgs(open, end Pos) []Expr {
	if end == open+1 {
		return nil
	}
	told, lastError, cut, deep := len(p.diags), p.lastError, p.cut, p.deep
	var args []Expr
	ok := p.attempt(func() {
		p.jump(open)
		p.advance()
		args = p.arguments()
	})
	if ok && p.last == end {
		return args
	}
	p.diags, p.lastError, p.cut, p.deep = p.diags[:told], lastError, cut, deep
	return nil
}
