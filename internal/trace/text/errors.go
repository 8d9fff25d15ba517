package text

import (
	"fmt"
	"strings"
)

// maxErrors is how many mistakes of a file are reported at once.
const maxErrors = 10

// excerptWidth is how much of a long line is shown around a mistake, in bytes.
const excerptWidth = 72

// SyntaxError is one mistake in a text log. Line and Column count from 1, columns in bytes.
type SyntaxError struct {
	File         string
	Line, Column int
	Message      string // what was expected and what is there
	excerpt      string // of the line, and the place of the mistake in it
	caret        int
}

// Error gives file:line:column, what was expected, and the place in the line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s\n    %s\n    %s^", e.File, e.Line, e.Column, e.Message, e.excerpt,
		strings.Repeat(" ", e.caret))
}

// Errors are the mistakes of one file in the order in which they stand there, ten at most.
type Errors []*SyntaxError

// Error gives all mistakes, one after the other.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, one := range e {
		texts[i] = one.Error()
	}
	text := strings.Join(texts, "\n")
	if len(e) == maxErrors {
		text += fmt.Sprintf("\nhint: only the first %d errors are shown", maxErrors)
	}
	return text
}

// excerpt cuts the part of a line around a place, and says where the place is in it.
func excerpt(line []byte, at int) (string, int) {
	from, to := 0, len(line)
	if to > excerptWidth {
		from = min(max(0, at-excerptWidth/2), to-excerptWidth)
		to = from + excerptWidth
	}
	shown := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r > 0x7e {
			return '?'
		}
		return r
	}, latin(line[from:to]))
	return shown, at - from
}

// latin makes each byte one character, so that a column is one too.
func latin(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}
