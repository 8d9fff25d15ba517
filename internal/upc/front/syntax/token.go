package syntax

import "fmt"

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. Keywords, GNU's double-underscore spellings among them, are identifiers of kind Keyword; every
// spelling of a keyword is mapped to one canonical text by the lexer ("__const__" to "const").
const (
	EOF Kind = iota
	Name
	Keyword
	IntegerConstant
	FloatingConstant
	CharacterConstant
	StringLiteral
	Punctuator // digraphs are mapped to what they stand for
	Pragma     // a whole line "#pragma upc strict", "#pragma upc relaxed" or another that cc -E has left
)

// Pos names a token by its index in File.Tokens. Tokens keep the order of the preprocessed text.
type Pos int32

// NoPos is no token.
const NoPos Pos = -1

// Token is one token of the preprocessed text.
type Token struct {
	Kind Kind
	// Text is the canonical spelling of a keyword or punctuator, and the spelling as written of all others.
	Text string
	// Offset is where the token begins in File.Text, and Length how many bytes it has there.
	Offset, Length int32
	// Line and Column count from 1 in the user's file, as the line markers of the preprocessor tell; File is an index
	// into File.Names.
	Line, Column int32
	File         int32
	// Space says that white space comes before the token; First that it is the first of its line.
	Space, First bool
}

// Position is a place in a user's source file.
type Position struct {
	File         string
	Line, Column int // from 1
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// File is a preprocessed translation unit.
type File struct {
	// Path is the source file that was given to the preprocessor.
	Path string
	// Text is the preprocessor's output.
	Text []byte
	// Names are the files that its line markers name; System says which of them are system headers (flag 3 of a
	// marker).
	Names  []string
	System []bool
	Tokens []Token // the last one is EOF
	Decls  []Decl
}

// Position says where a token stands in the user's sources.
func (f *File) Position(p Pos) Position {
	if p < 0 || int(p) >= len(f.Tokens) {
		return Position{File: f.Path}
	}
	t := f.Tokens[p]
	return Position{File: f.Names[t.File], Line: int(t.Line), Column: int(t.Column)}
}
