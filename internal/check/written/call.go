package written

import (
	"path/filepath"
	"regexp"
	"strings"

	"unknot/internal/vocab/mpi"
)

// Call gives the arguments of a call as the program writes them, if it is certain that the text is that of the call: it
// is the only one of the function on the line, or the only one that begins before it and ends there or later. It is nil
// if it is not. Arguments behind a directive of the preprocessor are left out, as these may not be what was compiled.
func Call(file string, line int, function string) []string {
	if file == "" || line <= 0 {
		return nil
	}
	text, at := lines(file, line)
	if text == "" {
		return nil
	}
	fortran := strings.HasPrefix(strings.ToLower(filepath.Ext(file)), ".f")
	text = blank(text, fortran)
	name := mpi.Plain(function)
	call := find(text, at, name)
	if call < 0 {
		return nil
	}
	rest := text[call+len(name):]
	list, end := arguments(rest)
	if list == nil {
		return nil
	}
	if call+len(name)+end < at {
		return nil // it ends before the line: that is another call
	}
	for i, a := range list {
		if strings.Contains(a, "\n#") || strings.HasPrefix(a, "#") {
			return list[:i]
		}
		if fortran {
			a = continued.ReplaceAllString(a, "\n")
		}
		list[i] = strings.Join(strings.Fields(a), " ")
	}
	return list
}

// continued is where a line of Fortran continues in the next one: after an ampersand, or in fixed form before a mark in
// its sixth column.
var continued = regexp.MustCompile(`&[ \t]*\n([ \t]*&)?|\n {5}[^ 0\n]`)

// blank puts blanks in the place of comments of C, C++ and free Fortran, so that everything else stays where it is.
func blank(text string, fortran bool) string {
	b := []byte(text)
	var quote byte
	for i := 0; i < len(b); i++ {
		c := b[i]
		to := -1
		switch {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case fortran && c == '!', !fortran && strings.HasPrefix(text[i:], "//"):
			to = strings.IndexByte(text[i:]+"\n", '\n')
		case !fortran && strings.HasPrefix(text[i:], "/*"):
			if to = strings.Index(text[i+2:], "*/"); to >= 0 {
				to += 4
			}
		}
		for end := i + to; to > 0 && i < end && i < len(b); i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
		if to > 0 {
			i--
		}
	}
	return string(b)
}
