package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	page "unknot/bench/section"
)

const (
	document = "docs/papers/mspoe.md"
	head     = "| program | buffering | ranks | deadlock? | ISP | MSPOE | `predictive` | `mspoe` | `poe` | measured " +
		"|\n|---|---|---|---|---|---|---|---|---|---|\n"
)

// write writes the section, with the lines of rows that were measured now and, of the others, those that the page has.
func (s *section) write(path string, lines map[string]string, caption string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, old, _ := page.Cut(string(data), s.heading)
	text := head
	for i := range s.rows {
		key := s.rows[i].key()
		line := lines[key]
		if line == "" {
			line = earlier(old, key)
		}
		if line != "" {
			text += line + "\n"
		}
	}
	return s.put(path, text, caption)
}

// earlier is the line of a section that begins with some columns.
func earlier(text, key string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, key) {
			return strings.TrimSuffix(l, "\n")
		}
	}
	return ""
}

// put replaces the section.
func (s *section) put(path, table, caption string) error {
	return page.Replace(path, s.heading, s.heading+"\n\n"+caption+"\n\n"+s.opening+"\n"+table)
}
