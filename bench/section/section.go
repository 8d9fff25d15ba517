// Package section keeps parts of one document that several programs write: each replaces what stands under its own
// heading.
package section

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Large is the heading of what bench/tree writes.
const Large = "## Large jobs"

// Cut divides a document into what stands before a heading of the second level, under it, and from the next such
// heading on. Without the heading all stands before it.
func Cut(text, heading string) (before, under, after string) {
	before, rest, found := strings.Cut(text, heading+"\n")
	if !found {
		return text, "", ""
	}
	if i := strings.Index(rest, "\n## "); i >= 0 {
		return before, heading + "\n" + rest[:i+1], rest[i+1:]
	}
	return before, heading + "\n" + rest, ""
}

// Own is what a document says before the first heading of the second level, and Others are all that stands under such
// headings.
func Own(text string) (own, others string) {
	if i := strings.Index("\n"+text, "\n## "); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// Replace writes what is to stand under a heading of a file, at its end if it is not there yet.
func Replace(path, heading, under string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, old, after := Cut(string(data), heading)
	if old == "" && before != "" {
		before = strings.TrimRight(before, "\n") + "\n\n"
	}
	if after != "" {
		under = strings.TrimRight(under, "\n") + "\n\n"
	}
	return os.WriteFile(path, []byte(before+under+after), 0o644)
}

// Rows are the lines of the tables under a heading of a file, by their first cells, as "a | b" of "| a | b | c |".
func Rows(path, heading string, cells int) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	rows := make(map[string]string)
	_, under, _ := Cut(string(data), heading)
	for line := range strings.Lines(under) {
		line = strings.TrimSpace(line)
		all := strings.Split(strings.TrimPrefix(line, "| "), " | ")
		if strings.HasPrefix(line, "| ") && len(all) >= cells {
			rows[strings.Join(all[:cells], " | ")] = line
		}
	}
	return rows, nil
}
