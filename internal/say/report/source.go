package report

import (
	"bufio"
	"os"
)

// SourceLine is one line of a program's source.
type SourceLine struct {
	Number int // from 1
	Text   string
}

// Bounds on what a source file may cost: a file that is named in debug information may be anything.
const (
	maxSourceLine  = 64 << 10
	maxSourceShown = 240 // bytes of a line in an excerpt
)

// ReadSource reads the lines around a line of a file, as many as context on each side. It gives nothing if the file is
// not there, is not a regular file, or has no such line.
func ReadSource(file string, line, context int) []SourceLine {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []SourceLine
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxSourceLine)
	n := 0
	for n < line+context && lines.Scan() {
		if n++; n >= line-context {
			text := lines.Text()
			out = append(out, SourceLine{n, text[:min(len(text), maxSourceShown)]})
		}
	}
	if n < line {
		return nil
	}
	return out
}
