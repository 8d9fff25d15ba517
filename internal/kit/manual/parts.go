package manual

import (
	"regexp"
	"strings"
)

// kind is what a part of a help text is.
type kind int

const (
	synopsis  kind = iota // lines after "usage:"
	paragraph             // text
	example               // lines that are indented by four columns
	table                 // options, or variables, with what they mean
)

// part is one of a help text. A table has entries, any other part has lines.
type part struct {
	kind    kind
	lines   []string
	entries []entry
}

// entry is a row of a table: a term and what it means, which may be nothing.
type entry struct{ term, about string }

const usage = "usage: "

// split finds the parts of a help text. Blank lines end a part, and so does a line of another kind.
func split(help string) (parts []part) {
	var current *part
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			current = nil
			continue
		}
		k := kindOf(line, current)
		if current == nil || current.kind != k {
			parts = append(parts, part{kind: k})
			current = &parts[len(parts)-1]
		}
		current.add(line)
	}
	return parts
}

// kindOf says what a line belongs to, after the lines of a part that no blank line has ended.
func kindOf(line string, before *part) kind {
	switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
	case strings.HasPrefix(line, usage), before != nil && before.kind == synopsis:
		return synopsis
	case before != nil && before.kind == table && indent > 0, indent == 2:
		return table
	case indent > 0:
		return example
	}
	return paragraph
}

// columns are a term and the first line of what it means.
var columns = regexp.MustCompile(`^(.*?\S)\s{2,}(\S.*)$`)

func (p *part) add(line string) {
	text := strings.TrimSpace(line)
	switch {
	case p.kind == synopsis:
		p.lines = append(p.lines, strings.TrimPrefix(text, usage))
	case p.kind == example:
		p.lines = append(p.lines, strings.TrimPrefix(line, "    "))
	case p.kind == paragraph:
		p.lines = append(p.lines, text)
	case strings.HasPrefix(line, "   "):
		last := &p.entries[len(p.entries)-1]
		last.about = strings.TrimSpace(last.about + " " + text)
	default:
		e := entry{term: text}
		if m := columns.FindStringSubmatch(text); m != nil {
			e = entry{m[1], m[2]}
		}
		p.entries = append(p.entries, e)
	}
}
