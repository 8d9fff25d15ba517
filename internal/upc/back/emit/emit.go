// Package emit prints the tokens of a preprocessed source together with text of one's own, and keeps the printed lines
// in step with those of the source, so that compilers, debuggers and sanitizers speak of these.
package emit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/upc/front/syntax"
)

// near is how many lines are bridged by empty lines rather than by a line marker.
const near = 8

// Writer prints tokens of a source and text of its own, and keeps the printed lines in step with those of the source.
type Writer struct {
	// UPC says that the text is UPC still: its pragmas stay.
	UPC  bool
	out  bytes.Buffer
	file *syntax.File
	// at and name are the line and the file that the next character printed would be counted to.
	at, name int32
	// held is positive within the arguments of a macro, where no line may begin.
	held int
	// loose says that the last thing printed was text of the writer's own, so that a space must come before a token.
	loose bool
	// again is positive while tokens are printed that stand in the text already: the compiler has warned of them.
	again int
	// origins are the tokens printed so far.
	origins []Origin
}

// Text is a printed text.
type Text struct {
	Bytes []byte
	// Origins are the tokens of the source in it, in the order of the text.
	Origins []Origin
}

// Origin says that the token Pos of the source begins at an offset of the printed text.
type Origin struct {
	Offset int
	Pos    syntax.Pos
}

// New is a writer for a source that has printed nothing.
func New(f *syntax.File) *Writer { return &Writer{file: f, name: -1} }

// Printed is what was printed, below a text that comes before it.
func (w *Writer) Printed(before string) Text {
	origins := slices.Clone(w.origins)
	for i := range origins {
		origins[i].Offset += len(before)
	}
	return Text{append([]byte(before), w.out.Bytes()...), origins}
}

// Hold begins the arguments of a macro, where no line may begin, and Release ends them.
func (w *Writer) Hold() { w.held++ }

// Release ends what Hold began.
func (w *Writer) Release() { w.held-- }

// Again prints tokens once more, without the compiler's warnings.
func (w *Writer) Again(print func()) {
	w.again++
	w.name = -1
	print()
	w.again--
	w.name = -1
}

// Text prints s, which has no line ends.
func (w *Writer) Text(s string) {
	if s == "" {
		return
	}
	if w.out.Len() > 0 && needsSpace(w.out.Bytes()[w.out.Len()-1], s[0]) {
		w.out.WriteByte(' ')
	}
	w.out.WriteString(s)
	w.loose = true
}

// needsSpace says that two characters must not stand together, lest they become another token.
func needsSpace(a, b byte) bool {
	switch {
	case a == ' ' || a == '\n' || a == '(':
		return false
	case b == ',' || b == ')' || b == ';' || b == ']' || b == '.':
		return false
	case b == '[':
		return a != ']' && a != ')' && !wordByte(a)
	case b == '(':
		return !wordByte(a)
	}
	return true
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Fresh begins a new line, if something stands on this one.
func (w *Writer) Fresh() {
	if n := w.out.Len(); n > 0 && w.out.Bytes()[n-1] != '\n' {
		w.out.WriteByte('\n')
		w.at++
	}
}

// BreakLine begins a line of the writer's own text, which counts to the line of the token at p.
func (w *Writer) BreakLine(p syntax.Pos) {
	if w.held > 0 {
		return
	}
	w.Fresh()
	w.name = -1
	w.goTo(&w.file.Tokens[p])
}

// Line prints a whole line of the writer's own, after which the next token says anew where it stands.
func (w *Writer) Line(s string) {
	w.Fresh()
	w.out.WriteString(s)
	w.out.WriteByte('\n')
	w.name = -1
}

// Tokens prints the tokens from one to another, both included.
func (w *Writer) Tokens(from, to syntax.Pos) {
	for p := from; p <= to; p++ {
		w.Token(p)
	}
}

// Token prints a token on its line.
func (w *Writer) Token(p syntax.Pos) {
	t := &w.file.Tokens[p]
	spelling := w.file.Text[t.Offset : t.Offset+t.Length]
	switch {
	case t.Kind == syntax.EOF:
		return
	case t.Kind == syntax.Pragma:
		w.pragma(t, string(spelling))
		return
	}
	w.goTo(t)
	if n := w.out.Len(); n > 0 {
		last := w.out.Bytes()[n-1]
		switch {
		case last == '\n':
			if t.First && t.Column < 200 {
				w.out.WriteString(strings.Repeat(" ", int(t.Column)-1))
			}
		case w.loose && last == '(':
		case t.Space, t.First, w.loose && needsSpace(last, spelling[0]):
			if last != ' ' {
				w.out.WriteByte(' ')
			}
		}
	}
	w.origins = append(w.origins, Origin{w.out.Len(), p})
	w.out.Write(spelling)
	w.loose = false
}

// At makes what is printed next count to the line of the token at p.
func (w *Writer) At(p syntax.Pos) { w.goTo(&w.file.Tokens[p]) }

// goTo makes the next character printed count to the line of t.
func (w *Writer) goTo(t *syntax.Token) {
	if w.held > 0 || w.name == t.File && w.at == t.Line {
		return
	}
	if ahead := t.Line - w.at; w.name == t.File && ahead > 0 && ahead <= near {
		for range ahead {
			w.out.WriteByte('\n')
		}
		w.at = t.Line
		return
	}
	w.Fresh()
	w.out.WriteString("# " + strconv.Itoa(int(t.Line)) + " " + Quote(w.file.Names[t.File]))
	if w.again > 0 || int(t.File) < len(w.file.System) && w.file.System[t.File] {
		w.out.WriteString(" 3")
	}
	w.out.WriteByte('\n')
	w.at, w.name = t.Line, t.File
}

// pragma prints a #pragma line, unless it is UPC's and the text is to be C. Within the arguments of a macro it becomes
// _Pragma.
func (w *Writer) pragma(t *syntax.Token, spelling string) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(spelling), "#"))
	if len(words) > 1 && words[1] == "upc" && !w.UPC {
		return
	}
	if w.held > 0 {
		w.Text("_Pragma(" + Quote(strings.Join(words[1:], " ")) + ")")
		return
	}
	w.Fresh()
	w.goTo(t)
	w.out.WriteString(strings.TrimSpace(spelling))
	w.out.WriteByte('\n')
	w.at = t.Line + 1
}

// Quote gives a C string literal.
func Quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
