package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Parse reads a preprocessed translation unit, the output of cc -E for the source file path. The diagnostics are syntax
// errors, in the order of their places. The tree is whole in any case: what has an error stands in it as a Bad node, or
// is left out.
func Parse(path string, text []byte) (*File, []Diagnostic) {
	f := &File{Path: path, Text: text}
	p := &parser{file: f, diags: lex(f), faulty: map[Pos]bool{}, last: NoPos, lastError: NoPos, cut: NoPos,
		picked: map[Pos]bool{}}
	for _, d := range p.diags {
		p.faulty[d.Pos] = true
	}
	p.match()
	p.scope = &scope{names: map[string]bool{}}
	for _, name := range builtinTypes {
		p.scope.names[name] = true
	}
	p.next = p.visible(0)
	p.translationUnit()
	slices.SortStableFunc(p.diags, func(a, b Diagnostic) int { return cmp.Compare(a.Pos, b.Pos) })
	return f, p.diags
}

// parser is a recursive descent over the tokens. Pragmas are passed over wherever they stand; the loops over
// declarations and statements pick up those before the next token.
type parser struct {
	file   *File
	next   Pos   // the token to be read, never a pragma
	last   Pos   // the token read last
	closer []Pos // for each opening bracket its closing one, or 0 if there is none
	scope  *scope
	depth  int // of nested constructs
	diags  []Diagnostic
	// lastError is where the last error was reported; a second one at the same token is a consequence.
	lastError Pos
	// faulty are the tokens for which the lexer has reported an error. What the parser finds wrong there is a
	// consequence.
	faulty map[Pos]bool
	// cut is where a function or block ended without its closing brace, while what is around it is left; else NoPos.
	cut Pos
	// deep says that the rest of the file was left out, because it is nested too deeply.
	deep bool
	// body is the opening brace of the function that is read.
	body Pos
	// picked are the pragmas that stand in the tree already.
	picked map[Pos]bool
}

// bail is what a parse panics with that cannot continue, after the error was reported. attempt catches it.
type bail struct{}

// scope holds the names of a block: whether each is a typedef name.
type scope struct {
	outer *scope
	names map[string]bool
}

func (p *parser) push() { p.scope = &scope{outer: p.scope} }
func (p *parser) pop()  { p.scope = p.scope.outer }

func (p *parser) declare(name string, typedef bool) {
	if p.scope.names == nil {
		p.scope.names = map[string]bool{}
	}
	p.scope.names[name] = typedef
}

// declared says that a name has a declaration in scope.
func (p *parser) declared(name string) bool {
	for s := p.scope; s != nil; s = s.outer {
		if _, ok := s.names[name]; ok {
			return true
		}
	}
	return false
}

func (p *parser) isTypedef(name string) bool {
	for s := p.scope; s != nil; s = s.outer {
		if typedef, ok := s.names[name]; ok {
			return typedef
		}
	}
	return false
}

// maxDepth bounds how deep constructs may be nested, for the sake of the stack. Programs come to some dozens.
const maxDepth = 10_000

// enter goes one construct deeper. Too deep a file is not read any further.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.errorAt(Diagnostic{Pos: p.next,
			Message: fmt.Sprintf("nested too deeply; hint: at most %d levels can be compiled", maxDepth)})
		p.cut, p.deep = Pos(len(p.file.Tokens)-1), true
		panic(bail{})
	}
}

func (p *parser) leave() { p.depth-- }

// attempt runs a parse and says whether it completed. If not, its error was reported, and the scope and depth are as
// before.
func (p *parser) attempt(parse func()) (ok bool) {
	scope, depth := p.scope, p.depth
	defer func() {
		if ok {
			return
		}
		r := recover()
		if _, bailed := r.(bail); !bailed {
			panic(r)
		}
		p.scope, p.depth = scope, depth
	}()
	parse()
	return true
}

// match pairs the brackets. A bracket that an outer one's end cuts off has no partner.
func (p *parser) match() {
	tokens := p.file.Tokens
	p.closer = make([]Pos, len(tokens))
	var open []Pos
	braces := 0 // how many of them are {
	for i, t := range tokens {
		if t.Kind != Punctuator {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			open = append(open, Pos(i))
			if t.Text == "{" {
				braces++
			}
		case ")", "]":
			if n := len(open) - 1; n >= 0 && pairs(tokens[open[n]].Text, t.Text) {
				p.closer[open[n]] = Pos(i)
				open = open[:n]
			}
		case "}":
			if braces == 0 {
				continue
			}
			braces--
			n := len(open) - 1
			for tokens[open[n]].Text != "{" {
				n--
			}
			p.closer[open[n]] = Pos(i)
			open = open[:n]
		}
	}
}

func pairs(open, end string) bool {
	return open == "(" && end == ")" || open == "[" && end == "]" || open == "{" && end == "}"
}

// visible is the first token from i on that is no pragma.
func (p *parser) visible(i Pos) Pos {
	for int(i) < len(p.file.Tokens)-1 && p.file.Tokens[i].Kind == Pragma {
		i++
	}
	return i
}

func (p *parser) tok() *Token { return &p.file.Tokens[p.next] }

// peek is the token n after the next one.
func (p *parser) peek(n int) *Token {
	i := p.next
	for ; n > 0 && int(i) < len(p.file.Tokens)-1; n-- {
		i = p.visible(i + 1)
	}
	return &p.file.Tokens[i]
}

// advance reads a token and says where it stands.
func (p *parser) advance() Pos {
	p.last = p.next
	if int(p.next) < len(p.file.Tokens)-1 {
		p.next = p.visible(p.next + 1)
	}
	return p.last
}

// jump continues at token i.
func (p *parser) jump(i Pos) {
	p.last = max(i-1, NoPos)
	p.next = p.visible(i)
}

// is says that a token is a certain punctuator or keyword.
func (t *Token) is(text string) bool {
	return (t.Kind == Punctuator || t.Kind == Keyword) && t.Text == text
}

func (p *parser) at(text string) bool { return p.tok().is(text) }

// accept reads the next token if it is text.
func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.advance()
		return true
	}
	return false
}

// expect reads text, or gives up.
func (p *parser) expect(text string) Pos {
	if !p.at(text) {
		p.missing("'" + text + "'")
		panic(bail{})
	}
	return p.advance()
}

// semicolon reads the semicolon at the end of a statement or declaration. One that was forgotten at a line's end, or
// before a closing brace, is reported, and the parse continues.
func (p *parser) semicolon(expected string) {
	if p.accept(";") {
		return
	}
	p.missing(expected)
	if p.last < 0 || !p.at("}") && !p.tok().First {
		panic(bail{})
	}
}

// span is the tokens from one to the last that was read.
func (p *parser) span(from Pos) Span { return Span{from, p.last} }

// errorAt tells an error at a token. One at the token of the error before is left out, and those that follow from a
// cut.
func (p *parser) errorAt(d Diagnostic) {
	if d.Pos == p.lastError || p.cut != NoPos || p.faulty[d.Pos] || p.faulty[p.next] {
		return
	}
	p.lastError = d.Pos
	p.diags = append(p.diags, d)
}

// fail tells an error at the next token and gives up.
func (p *parser) fail(format string, args ...any) {
	p.errorAt(Diagnostic{Pos: p.next, Message: fmt.Sprintf(format, args...)})
	panic(bail{})
}

// expected tells that something else should stand in the place of the next token, and gives up.
func (p *parser) expected(what string) {
	p.errorAt(Diagnostic{Pos: p.next, Message: "expected " + what + p.before() + p.statementHint()})
	panic(bail{})
}

// missing tells that something is missing after the last token. At the start of a line the place is the end of the line
// before.
func (p *parser) missing(what string) {
	d := Diagnostic{Pos: p.next, Message: "expected " + what + p.before() + p.statementHint()}
	if p.last >= 0 {
		d.Pos, d.After = p.last, true
	}
	p.errorAt(d)
}

// before names the next token in the words of gcc.
func (p *parser) before() string {
	t := p.tok()
	switch t.Kind {
	case EOF:
		return " at end of input"
	case StringLiteral:
		return " before string constant"
	case IntegerConstant, FloatingConstant:
		return " before numeric constant"
	case CharacterConstant:
		return " before character constant " + t.Text
	case Name, Keyword:
		return " before '" + p.written(p.next) + "'"
	}
	return " before '" + p.written(p.next) + "' token"
}

// written is a token as the user wrote it.
func (p *parser) written(i Pos) string {
	t := p.file.Tokens[i]
	return string(p.file.Text[t.Offset : t.Offset+t.Length])
}

// identifier reads a name that is declared or stands after a dot.
func (p *parser) identifier() Ident {
	t := p.tok()
	if t.Kind != Name {
		p.noIdentifier("identifier")
	}
	i := p.advance()
	return Ident{Span: Span{i, i}, Name: t.Text}
}

// noIdentifier tells that there is no name where one is expected.
func (p *parser) noIdentifier(expected string) {
	t := p.tok()
	if t.Kind == Keyword && upcKeywords[t.Text] {
		p.errorAt(Diagnostic{Pos: p.next, ID: "COMP-20",
			Message: fmt.Sprintf("'%s' is a keyword of UPC and cannot be declared", t.Text)})
		panic(bail{})
	}
	p.expected(expected)
}

// pragmas returns the pragmas just before the next token that were not picked up yet.
func (p *parser) pragmas() []*PragmaDecl {
	from := p.next
	for from > 0 && p.file.Tokens[from-1].Kind == Pragma && !p.picked[from-1] {
		from--
	}
	var all []*PragmaDecl
	for i := from; i < p.next; i++ {
		p.picked[i] = true
		all = append(all, p.pragma(i))
	}
	return all
}

// pragma makes a declaration of a pragma's line.
func (p *parser) pragma(i Pos) *PragmaDecl {
	d := &PragmaDecl{Span: Span{i, i}, Words: pragmaWords(p.file.Tokens[i])}
	if !isUpc(d.Words) {
		return d
	}
	if len(d.Words) == 2 && (d.Words[1] == "strict" || d.Words[1] == "relaxed") {
		d.Upc = d.Words[1]
		return d
	}
	if len(d.Words) == 2 && isMode(d.Words[1]) {
		return d
	}
	p.diags = append(p.diags, Diagnostic{Pos: i, ID: "COMP-21",
		Message: "#pragma upc takes 'strict' or 'relaxed', not '" + strings.Join(d.Words[1:], " ") + "'"})
	return d
}

func pragmaWords(t Token) []string {
	text := strings.TrimSpace(strings.TrimPrefix(t.Text, "#"))
	return strings.Fields(strings.TrimPrefix(text, "pragma"))
}

// OtherPragma says that a token is a pragma, and none of UPC.
func (t Token) OtherPragma() bool { return t.Kind == Pragma && !isUpc(pragmaWords(t)) }

func isUpc(words []string) bool { return len(words) > 0 && words[0] == "upc" }

// misplaced tells that a pragma of UPC stands where it has no meaning (UPC 1.3, 6.7.1).
func (p *parser) misplaced(i Pos) {
	p.diags = append(p.diags, Diagnostic{Pos: i, ID: "COMP-21",
		Message: "#pragma upc may stand between the declarations of a file or at the start of a block only"})
}
