// Package section keeps parts of one document that several programs write: each replaces what stands under its own
// heading.
package section

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"
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

// Table is a table that is measured row by row, and not always as a whole.
type Table struct {
	Before   map[string]string // the rows that it had, of Rows
	Only     *regexp.Regexp    // which keys are measured now
	Deadline time.Time         // after which none is
	Day      string            // the last cell of what is measured now
	Empty    string            // the cells of a row that was never measured, after its key
	lines    strings.Builder
	failed   []error
}

// Add adds a row with a key, as "a | b": as measure says now, or else as it was.
func (t *Table) Add(ctx context.Context, key string, measure func() (cells string, err error)) {
	line := t.Before[key]
	if t.Only.MatchString(key) && time.Now().Before(t.Deadline) && ctx.Err() == nil {
		if cells, err := measure(); err != nil {
			t.failed = append(t.failed, fmt.Errorf("%s: %w", key, err))
		} else {
			line = fmt.Sprintf("| %s | %s | %s |", key, cells, t.Day)
			fmt.Println(line)
		}
	}
	if line == "" {
		line = "| " + key + " | not measured |" + t.Empty
	}
	t.lines.WriteString(line + "\n")
}

// Lines are the rows, in the order in which they were added, and why some could not be measured.
func (t *Table) Lines() (lines string, failed []error) { return t.lines.String(), t.failed }
