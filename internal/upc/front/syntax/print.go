package syntax

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Print writes diagnostics as gcc does: place and message, then the line of the user's file with a caret under the
// place.
func Print(w io.Writer, f *File, diags []Diagnostic) {
	p := &printer{w: w, file: f, sources: map[string][]string{}}
	for _, d := range diags {
		p.print(d)
	}
}

// Locator finds the places of tokens in the user's files.
type Locator struct{ printer }

// NewLocator is a locator for the tokens of a source.
func NewLocator(f *File) *Locator { return &Locator{printer{file: f, sources: map[string][]string{}}} }

// Place is where a token stands in the user's file, and how many bytes it has there.
func (l *Locator) Place(at Pos) (Position, int) { return l.place(Diagnostic{Pos: at}) }

// Line is the text of a line of a user's file.
func (l *Locator) Line(pos Position) (string, bool) { return l.line(pos) }

// Show writes the line of a place with a caret under it, as gcc does.
func Show(w io.Writer, line string, pos Position, length int) {
	fmt.Fprintf(w, "%5d | %s\n", pos.Line, line)
	fmt.Fprintf(w, "      | %s^%s\n", indent(line, pos.Column-1), strings.Repeat("~", max(length-1, 0)))
}

type printer struct {
	w       io.Writer
	file    *File
	sources map[string][]string // lines by file name; nil for a file that cannot be read
}

func (p *printer) print(d Diagnostic) {
	pos, length := p.place(d)
	word := [...]string{Error: "error", Warning: "warning", Note: "note"}[d.Severity]
	id := ""
	if d.ID != "" {
		id = " [" + d.ID + "]"
	}
	fmt.Fprintf(p.w, "%s: %s: %s%s\n", pos, word, d.Message, id)
	if line, ok := p.line(pos); ok {
		Show(p.w, line, pos, length)
	}
	for _, note := range d.Notes {
		p.print(note)
	}
}

// place is the position of a diagnostic in the user's file, and how many bytes of the line are meant.
func (p *printer) place(d Diagnostic) (Position, int) {
	pos := p.file.Position(d.Pos)
	if d.Pos < 0 || int(d.Pos) >= len(p.file.Tokens) {
		return pos, 0
	}
	t := p.file.Tokens[d.Pos]
	line, ok := p.line(pos)
	length := int(t.Length)
	if ok {
		pos.Column, length = p.column(line, d.Pos)
	}
	if d.After {
		pos.Column += length
		length = 1
	}
	if t.Kind == Pragma || t.Kind == EOF {
		length = 1
	}
	return pos, length
}

// column is where a token stands in the user's line, and its length there. The preprocessor keeps columns only as long
// as no macro was expanded in the line; after that the tokens are looked for one after the other, and one that a macro
// made stands where the macro does.
func (p *printer) column(line string, at Pos) (column, length int) {
	t := p.file.Tokens[at]
	text := p.written(at)
	if c := int(t.Column) - 1; c <= len(line) && strings.HasPrefix(line[c:], text) {
		return c + 1, len(text)
	}
	from := at
	for from > 0 && p.file.Tokens[from-1].Line == t.Line && p.file.Tokens[from-1].File == t.File {
		from--
	}
	end, found := 0, false
	start := 0
	for i := from; i <= at; i++ {
		word := p.written(i)
		start, found = find(line, word, end)
		if found {
			end = start + len(word)
		}
	}
	if found {
		return start + 1, len(text)
	}
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	length = 0
	for i := end; i < len(line) && (isNameStart(line[i]) || isDigit(line[i])); i++ {
		length++
	}
	return end + 1, max(length, 1)
}

// find looks for a whole word in a line from a place on.
func find(line, word string, from int) (int, bool) {
	for i := from; word != "" && i+len(word) <= len(line); i++ {
		if !strings.HasPrefix(line[i:], word) {
			continue
		}
		end := i + len(word)
		inside := func(c byte) bool { return isNameStart(c) || isDigit(c) }
		if inside(word[0]) && (i > 0 && inside(line[i-1]) || end < len(line) && inside(line[end])) {
			continue
		}
		return i, true
	}
	return from, false
}

func (p *printer) written(i Pos) string {
	t := p.file.Tokens[i]
	return string(p.file.Text[t.Offset : t.Offset+t.Length])
}

// line is the text of a line of a user's file.
func (p *printer) line(pos Position) (string, bool) {
	lines, ok := p.sources[pos.File]
	if !ok {
		if data, err := os.ReadFile(pos.File); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		p.sources[pos.File] = lines
	}
	if pos.Line < 1 || pos.Line > len(lines) {
		return "", false
	}
	return strings.TrimRight(lines[pos.Line-1], "\r"), true
}

// indent is white space as wide as the first n bytes of a line.
func indent(line string, n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		if i < len(line) && line[i] == '\t' {
			b.WriteByte('\t')
		} else if i >= len(line) || line[i] < 0x80 || line[i] >= 0xc0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
