package symbol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// SourceLine is one line of an excerpt.
type SourceLine struct {
	N    int    // counts from 1
	Text string // without the line's end
	Mark bool   // it is the line that the excerpt is about
}

const (
	maxSource  = 64 << 20 // bytes of a file that are read to reach the line
	maxText    = 400      // bytes of a line that are shown
	maxContext = 50       // lines before and after
)

// Excerpt returns line of file with up to context lines before and after it. A file that is not there gives no lines
// and no error: reports are often made where the source is not. What cannot be shown as text is replaced, so that a
// source file cannot take over the terminal that it is printed on.
func Excerpt(file string, line, context int) ([]SourceLine, error) {
	context = min(max(context, 0), maxContext)
	// Without O_NONBLOCK a named pipe would keep the report waiting.
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("source excerpt: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("source excerpt: %s is not a regular file", file)
	}
	var lines []SourceLine
	limit := &io.LimitedReader{R: f, N: maxSource}
	in := bufio.NewReader(limit)
	n := 0
	for n < line+context {
		text, err := readLine(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("source excerpt: %w", err)
		}
		n++
		if n >= line-context {
			lines = append(lines, SourceLine{N: n, Text: text, Mark: n == line})
		}
	}
	switch {
	case n >= line && line > 0:
		return lines, nil
	case limit.N == 0:
		return nil, fmt.Errorf("source excerpt: line %d of %s is not within its first %d bytes", line, file, maxSource)
	}
	return nil, fmt.Errorf("source excerpt: %s has %d lines, expected line %d\nhint: the file has changed since it "+
		"was compiled", file, n, line)
}

// readLine returns the next line, as much of it as is shown, or io.EOF.
func readLine(in *bufio.Reader) (string, error) {
	var kept []byte
	for begun := false; ; begun = true {
		part, more, err := in.ReadLine()
		if err == io.EOF && begun {
			break
		}
		if err != nil {
			return "", err
		}
		kept = append(kept, part[:min(len(part), maxText+utf8.UTFMax-len(kept))]...)
		if !more {
			break
		}
	}
	text := strings.ToValidUTF8(string(kept), "\uFFFD")
	if len(text) > maxText {
		end := maxText
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, strings.TrimSuffix(text, "\r")), nil
}
