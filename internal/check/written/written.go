// Package written finds how a program writes the arguments of a call.
package written

import (
	"bufio"
	"os"
	"strings"

	"unknot/internal/vocab/mpi"
)

// around is how many lines before and after a call site belong to the text in which the call is looked for: a
// debugger's line may be that of any of its arguments.
const around = 12

// Argument is how the program writes an argument of a call: its expression in the source file, or "" if the file or the
// call cannot be found there, the argument is a plain number, or there are several such calls on the line. The line
// counts from 1, the argument from 0.
func Argument(file string, line int, function string, argument int) string {
	if file == "" || line <= 0 {
		return ""
	}
	text, at := lines(file, line)
	if text == "" {
		return ""
	}
	name := mpi.Plain(function)
	call := find(text, at, name)
	if call < 0 {
		return ""
	}
	list, _ := arguments(text[call+len(name):])
	if argument >= len(list) {
		return ""
	}
	e := strings.Join(strings.Fields(list[argument]), " ")
	if e == "" || len(e) > 60 || strings.Trim(e, "-+0123456789 ") == "" || strings.Contains(e, "#") {
		return ""
	}
	return e
}

// lines gives the text around a line, and where that line starts in it.
func lines(file string, line int) (text string, at int) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0
	}
	defer f.Close()
	var b strings.Builder
	s := bufio.NewScanner(f)
	for n := 1; s.Scan() && n <= line+around; n++ {
		if n < line-around {
			continue
		}
		if n == line {
			at = b.Len()
		}
		b.WriteString(s.Text())
		b.WriteByte('\n')
	}
	if s.Err() != nil {
		return "", 0
	}
	return b.String(), at
}

// find is where a call begins that covers the line which starts at a place: the last one that begins before the line's
// end, if it is the only one on that line.
func find(text string, at int, name string) int {
	end := at + strings.IndexByte(text[at:]+"\n", '\n')
	lower, name := strings.ToLower(text), strings.ToLower(name)
	best, on := -1, 0
	for i := 0; ; {
		k := strings.Index(lower[i:], name)
		if k < 0 || i+k >= end {
			break
		}
		k += i
		i = k + len(name)
		after := strings.TrimLeft(lower[i:], " \t")
		if !strings.HasPrefix(after, "(") || k > 0 && isName(lower[k-1]) {
			continue
		}
		if k >= at {
			on++
		}
		best = k
	}
	if on > 1 {
		return -1
	}
	return best
}

func isName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// arguments splits what follows a function's name: "(a, f(b, c))" has "a" and "f(b, c)", and ends at the last bracket.
// It is nil if the brackets do not close.
func arguments(text string) (out []string, end int) {
	depth, from := 0, 0
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(text[i:], "/*"):
			if k := strings.Index(text[i:], "*/"); k > 0 {
				i += k + 1
			}
		case c == '(' || c == '[' || c == '{':
			if depth++; depth == 1 {
				from = i + 1
			}
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return append(out, strings.TrimSpace(text[from:i])), i
			}
		case c == ',' && depth == 1:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return nil, 0
}
