package syntax

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// lexer splits the preprocessor's output into tokens.
type lexer struct {
	file  *File
	text  string
	at    int // offset of the next byte
	line  int // line of the user's file that at stands in
	start int // offset of the start of the line
	name  int32
	first bool // no token was seen in this line
	// plainC says that #pragma upc c_code is in force.
	plainC bool
	names  map[string]int32
	diags  []Diagnostic
}

// lex fills f.Tokens, f.Names and f.System from f.Text.
func lex(f *File) []Diagnostic {
	l := &lexer{file: f, text: string(f.Text), line: 1, first: true, names: map[string]int32{}}
	l.name = l.nameOf(f.Path)
	if len(l.text) >= math.MaxInt32 {
		l.text = ""
		l.token(EOF, 0, 0, "", false)
		l.errorf("a preprocessed file of %d bytes is too long; hint: at most 2 GiB can be compiled", len(f.Text))
		return l.diags
	}
	f.Tokens = make([]Token, 0, len(l.text)/5+1)
	for l.next() {
	}
	l.token(EOF, len(l.text), 0, "", true)
	return l.diags
}

func (l *lexer) nameOf(name string) int32 {
	if i, ok := l.names[name]; ok {
		return i
	}
	i := int32(len(l.file.Names))
	l.names[name] = i
	l.file.Names = append(l.file.Names, name)
	l.file.System = append(l.file.System, false)
	return i
}

// errorf tells an error at the last token.
func (l *lexer) errorf(format string, args ...any) {
	l.diags = append(l.diags, Diagnostic{Pos: Pos(len(l.file.Tokens) - 1), Message: fmt.Sprintf(format, args...)})
}

func (l *lexer) token(kind Kind, at, length int, text string, space bool) {
	l.file.Tokens = append(l.file.Tokens, Token{
		Kind: kind, Text: text, Offset: int32(at), Length: int32(length),
		Line: int32(l.line), Column: int32(at - l.start + 1), File: l.name, Space: space, First: l.first,
	})
	l.first = false
	l.at = at + length
}

// newline passes a line's end at offset i.
func (l *lexer) newline(i int) {
	l.line++
	l.start = i + 1
	l.first = true
}

// next reads one token; it is false at the end of the text.
func (l *lexer) next() bool {
	space := l.blank()
	if l.at >= len(l.text) {
		return false
	}
	c := l.text[l.at]
	switch {
	case c == '#' && l.first:
		l.directive(space)
	case isDigit(c) || c == '.' && l.at+1 < len(l.text) && isDigit(l.text[l.at+1]):
		l.number(space)
	case c == '"':
		l.quoted(StringLiteral, 0, space)
	case c == '\'':
		l.quoted(CharacterConstant, 0, space)
	case isNameStart(c) || l.universal(l.at) > 0:
		l.word(space)
	default:
		l.punctuator(space)
	}
	return true
}

// blank passes white space and comments, and says whether there was any.
func (l *lexer) blank() bool {
	from := l.at
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch c := rest[0]; {
		case c == '\n':
			l.newline(l.at)
			l.at++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r':
			l.at++
		case strings.HasPrefix(rest, "\\\n"):
			first := l.first
			l.newline(l.at + 1)
			l.first = first
			l.at += 2
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				l.token(Punctuator, l.at, len(rest), "/*", true)
				l.errorf("unterminated comment")
				l.file.Tokens = l.file.Tokens[:len(l.file.Tokens)-1]
				l.diags[len(l.diags)-1].Pos = Pos(len(l.file.Tokens)) // the token EOF
				return true
			}
			for end := l.at + n + 4; l.at < end; l.at++ {
				if l.text[l.at] == '\n' {
					first := l.first
					l.newline(l.at)
					l.first = first
				}
			}
		default:
			return l.at > from
		}
	}
	return l.at > from
}

// directive passes a line marker, or makes a token of a pragma's line. Definitions, which cc -E -dD leaves, are passed
// over.
func (l *lexer) directive(space bool) {
	end := strings.IndexByte(l.text[l.at:], '\n')
	if end < 0 {
		end = len(l.text)
	} else {
		end += l.at
	}
	line := strings.TrimRight(l.text[l.at:end], " \t\r")
	body := strings.TrimLeft(line[1:], " \t")
	word := body
	if i := strings.IndexAny(word, " \t("); i >= 0 {
		word = word[:i]
	}
	switch {
	case word == "pragma":
		l.codeMode(line)
		l.token(Pragma, l.at, len(line), line, space)
	case body != "" && isDigit(body[0]), word == "line":
		if !l.marker(strings.TrimSpace(strings.TrimPrefix(body, "line"))) {
			l.token(Punctuator, l.at, 1, "#", space)
			l.errorf("%q is not a line marker", line)
			l.at = end
			return
		}
		l.at = end
	case word == "", word == "define", word == "undef", word == "ident", word == "sccs", word == "assert",
		word == "unassert",
		word == "include", word == "include_next", word == "import":
		l.at = end
	default:
		l.token(Punctuator, l.at, 1, "#", space)
	}
}

// codeMode follows the pragmas of GNU UPC, Clang UPC and Berkeley UPC that say where a file is C, in which the words
// that only UPC has are names like others. Their headers declare THREADS and MYTHREAD there.
func (l *lexer) codeMode(line string) {
	words := pragmaWords(Token{Text: line})
	if len(words) == 2 && isUpc(words) && isMode(words[1]) {
		l.plainC = words[1] == "c_code"
	}
}

// isMode says that the word after #pragma upc says which language follows.
func isMode(word string) bool { return word == "c_code" || word == "upc_code" }

// marker takes over what a line marker says: the number of the line that follows, its file and flags.
func (l *lexer) marker(text string) bool {
	digits := text
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		digits, text = text[:i], strings.TrimLeft(text[i:], " \t")
	} else {
		text = ""
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return false
	}
	if text != "" {
		name, flags, ok := fileName(text)
		if !ok {
			return false
		}
		// Flag 3 stands in a file of the user's too, around what macros of system headers expand to: only the first
		// marker of a file counts.
		_, known := l.names[name]
		l.name = l.nameOf(name)
		if !known {
			l.file.System[l.name] = slices.Contains(strings.Fields(flags), "3")
		}
	}
	l.line = int(n) - 1 // the line's end adds one
	return true
}

// fileName reads the quoted name of a line marker, in which the preprocessor escapes some bytes as in a string of C.
func fileName(text string) (name, rest string, ok bool) {
	if text[0] != '"' {
		return "", "", false
	}
	var b bytes.Buffer
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			return b.String(), text[i+1:], true
		case c == '\\' && i+3 < len(text) && isOctal(text[i+1]) && isOctal(text[i+2]) && isOctal(text[i+3]):
			b.WriteByte(text[i+1]<<6 | (text[i+2]-'0')<<3 | (text[i+3] - '0'))
			i += 3
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// word reads a name, a keyword, or the prefix of a string.
func (l *lexer) word(space bool) {
	i := l.at
	for i < len(l.text) {
		if isNameStart(l.text[i]) || isDigit(l.text[i]) {
			i++
		} else if n := l.universal(i); n > 0 {
			i += n
		} else {
			break
		}
	}
	word := l.text[l.at:i]
	if i < len(l.text) {
		switch {
		case l.text[i] == '"' && (word == "L" || word == "u" || word == "U" || word == "u8"):
			l.quoted(StringLiteral, len(word), space)
			return
		case l.text[i] == '\'' && (word == "L" || word == "u" || word == "U"):
			l.quoted(CharacterConstant, len(word), space)
			return
		}
	}
	if word == "_Pragma" && l.pragmaOperator(i, space) {
		return
	}
	if canonical, ok := keywords[word]; ok && !(l.plainC && upcKeywords[canonical]) {
		l.token(Keyword, l.at, len(word), canonical, space)
		return
	}
	l.token(Name, l.at, len(word), word, space)
}

// pragmaOperator reads _Pragma("…") as the pragma that it stands for (C11 6.10.9). i is where the word ends.
func (l *lexer) pragmaOperator(i int, space bool) bool {
	rest := l.text[i:]
	open := strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(open, "(") {
		return false
	}
	literal := strings.TrimLeft(open[1:], " \t")
	literal = strings.TrimPrefix(literal, "L")
	if !strings.HasPrefix(literal, `"`) {
		return false
	}
	n := quotedLength(literal)
	if n < 2 || literal[n-1] != '"' {
		return false
	}
	tail := strings.TrimLeft(literal[n:], " \t")
	if !strings.HasPrefix(tail, ")") {
		return false
	}
	text := strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(literal[1 : n-1])
	l.token(Pragma, l.at, len(l.text)-len(tail)+1-l.at, "#pragma "+strings.TrimSpace(text), space)
	return true
}

// quoted reads a string or a character constant whose prefix has the given length.
func (l *lexer) quoted(kind Kind, prefix int, space bool) {
	n := prefix + quotedLength(l.text[l.at+prefix:])
	text := l.text[l.at : l.at+n]
	quote := text[prefix]
	l.token(kind, l.at, n, text, space)
	switch {
	case n < prefix+2 || text[n-1] != quote || endsEscaped(text[prefix+1:]):
		l.errorf("missing terminating %c character", quote)
	case kind == CharacterConstant && n == prefix+2:
		l.errorf("empty character constant")
	}
}

// quotedLength is the length of the literal that text begins with, to its closing quote or else to the end of the line.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i + 1
		case '\n':
			return i
		case '\\':
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		}
	}
	return len(text)
}

// endsEscaped says that the last byte of a literal's inside and closing quote is escaped.
func endsEscaped(inside string) bool {
	n := 0
	for i := len(inside) - 2; i >= 0 && inside[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func (l *lexer) punctuator(space bool) {
	rest := l.text[l.at:]
	for _, p := range punctuators {
		if strings.HasPrefix(rest, p) {
			text := p
			if other, ok := digraphs[p]; ok {
				text = other
			}
			l.token(Punctuator, l.at, len(p), text, space)
			return
		}
	}
	l.token(Punctuator, l.at, 1, rest[:1], space)
	if c := rest[0]; c > ' ' && c < 0x7f {
		l.errorf("stray '%c' in program", c)
	} else {
		l.errorf("stray '\\%03o' in program", c)
	}
}

// universal is the length of the universal character name at offset i, or 0 (C11 6.4.3).
func (l *lexer) universal(i int) int {
	if i+1 >= len(l.text) || l.text[i] != '\\' {
		return 0
	}
	n := 0
	switch l.text[i+1] {
	case 'u':
		n = 6
	case 'U':
		n = 10
	default:
		return 0
	}
	if i+n > len(l.text) {
		return 0
	}
	for _, c := range []byte(l.text[i+2 : i+n]) {
		if !isHex(c) {
			return 0
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isOctal(c byte) bool { return c >= '0' && c <= '7' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}
