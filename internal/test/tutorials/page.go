// Package tutorials runs what docs/start.md, docs/threads.md and the pages in docs/tutorials show, so that what is
// written is what happens.
//
// A page is read from top to bottom, in an empty directory. A block of code whose first line is a comment with the name
// of a file is written to that file. A block "diff" changes the last such file: its lines with a space or a minus before
// them are in the file once, and become those with a space or a plus. A block "console" has commands, which follow "$ ",
// each with what it prints. Lines that match a pattern are not compared, if the comment
//
//	<!-- may vary: PATTERN -->
//
// stands before the block.
package tutorials

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// block is a block of code in a page.
type block struct {
	language string
	lines    []string
	// first is the place of its first line among those of the page.
	first int
	// varies matches lines that are not compared.
	varies *regexp.Regexp
}

var (
	fence    = regexp.MustCompile("^```([a-z0-9]*)$")
	mayVary  = regexp.MustCompile(`^<!-- may vary: (.*) -->$`)
	fileName = regexp.MustCompile(`^(?://|#|!) ([\w./-]*\w\.\w+|Makefile)$`)
)

// blocks are those of a page, given its lines.
func blocks(page []string) (all []block, err error) {
	var open *block
	var varies *regexp.Regexp
	for i, line := range page {
		m := fence.FindStringSubmatch(line)
		switch {
		case open != nil && line == "```":
			all = append(all, *open)
			open, varies = nil, nil
		case open != nil:
			open.lines = append(open.lines, line)
		case m != nil:
			open = &block{language: m[1], first: i + 1, varies: varies}
		case mayVary.MatchString(line):
			if varies, err = regexp.Compile(mayVary.FindStringSubmatch(line)[1]); err != nil {
				return nil, err
			}
		}
	}
	if open != nil {
		return nil, fmt.Errorf("the block at line %d does not end", open.first)
	}
	return all, nil
}

// file is the name of the file that a block is; "" for other blocks.
func (b block) file() string {
	if len(b.lines) == 0 {
		return ""
	}
	if m := fileName.FindStringSubmatch(b.lines[0]); m != nil {
		return m[1]
	}
	return ""
}

// step is a command, and the lines that it prints.
type step struct {
	command string
	prints  []string
}

const prompt = "$ "

// steps are the commands of a block.
func (b block) steps() (all []step, err error) {
	for _, line := range b.lines {
		command, is := strings.CutPrefix(line, prompt)
		switch {
		case is:
			all = append(all, step{command: command})
		case len(all) == 0:
			return nil, fmt.Errorf("the block at line %d does not begin with a command", b.first)
		default:
			last := &all[len(all)-1]
			last.prints = append(last.prints, line)
		}
	}
	return all, nil
}

// apply changes a text as the lines of a diff say. A line "@@" begins another change.
func apply(text string, diff []string) (string, error) {
	var before, after strings.Builder
	change := func() error {
		if n := strings.Count(text, before.String()); n != 1 || before.Len() == 0 {
			return fmt.Errorf("%d places are as this, expected one:\n%s", n, &before)
		}
		text = strings.Replace(text, before.String(), after.String(), 1)
		before.Reset()
		after.Reset()
		return nil
	}
	for _, line := range diff {
		if line == "@@" {
			if err := change(); err != nil {
				return "", err
			}
			continue
		}
		if line == "" {
			line = " "
		}
		if line[0] != '+' {
			before.WriteString(line[1:] + "\n")
		}
		if line[0] != '-' {
			after.WriteString(line[1:] + "\n")
		}
	}
	if err := change(); err != nil {
		return "", err
	}
	return text, nil
}

// same says whether two outputs are the same, except for lines that may vary. Reports may be in another order: one is
// printed when it is found.
func same(a, b []string, varies *regexp.Regexp) bool {
	reports := func(lines []string) []string {
		all := []string{""}
		for _, line := range lines {
			if varies != nil && varies.MatchString(line) {
				continue
			}
			if strings.HasPrefix(line, "unknot: ") {
				all = append(all, "")
			}
			all[len(all)-1] += line + "\n"
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(reports(a), reports(b))
}
