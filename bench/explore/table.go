package main

import (
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
	old, err := s.earlier(path)
	if err != nil {
		return err
	}
	text := head
	for i := range s.rows {
		key := s.rows[i].key()
		line := lines[key]
		if line == "" {
			line = old(&s.rows[i])
		}
		if line != "" {
			text += line + "\n"
		}
	}
	return s.put(path, text, caption)
}

// earlier are the lines that the page has.
func (s *section) earlier(path string) (func(*row) string, error) {
	old, err := page.Rows(path, s.heading, 3)
	return func(r *row) string {
		return old[strings.TrimSuffix(strings.TrimPrefix(r.key(), "| "), " |")]
	}, err
}

// put replaces the section.
func (s *section) put(path, table, caption string) error {
	return page.Replace(path, s.heading, s.heading+"\n\n"+caption+"\n\n"+s.opening+"\n"+table)
}
