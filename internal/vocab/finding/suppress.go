package finding

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Suppressions are rules about findings that need not be reported, read from a file with one rule a line:
//
//	code[:file-glob[:function-glob[ with function-glob]]]
//
// The code is a code of the catalogue or *. Globs are those of path.Match; a file-glob without a slash is compared with
// the file's base name, one with a slash with the whole path. Where a position has no source file it is compared with
// the library or program. What follows "with" has to fit the functions of all related calls, of which there must be
// one. Text from # to the end of a line is a comment where the # starts the line or follows a space.
type Suppressions struct {
	rules []rule
}

type rule struct {
	text           string // as written, for the report
	code           Code   // empty stands for every code
	file, function string // globs; empty matches everything
	with           string // a glob for the functions of related calls; empty if the rule does not ask for any
}

// form is how a rule is written, for hints.
const form = "code[:file[:function]]"

// maxRule bounds the length of a line; a longer one is not a file of rules.
const maxRule = 4096

// ParseSuppressions reads rules from r; name is the file's name for errors, which give the line and say what is wrong.
// The codes are those of the catalogue.
func ParseSuppressions(r io.Reader, name string, known Catalogue) (*Suppressions, error) {
	s := &Suppressions{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxRule), maxRule)
	n := 0
	for lines.Scan() {
		n++
		text := strings.TrimSpace(uncomment(lines.Text()))
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if text == "" {
			continue
		}
		rule, err := parseRule(text, known)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		s.rules = append(s.rules, rule)
	}
	if err := lines.Err(); err == bufio.ErrTooLong {
		return nil, fmt.Errorf("%s:%d: line is longer than %d characters; hint: write one rule a line, %s", name, n+1,
			maxRule, form)
	} else if err != nil {
		return nil, fmt.Errorf("%s: cannot read suppressions: %w", name, err)
	}
	return s, nil
}

// uncomment cuts a comment off. A # inside a word belongs to the word, because file names may contain it.
func uncomment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

func parseRule(text string, known Catalogue) (rule, error) {
	parts := strings.SplitN(text, ":", 3)
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	function, with, _ := strings.Cut(parts[2], " with ")
	r := rule{text: text, code: Code(strings.TrimSpace(parts[0])), file: strings.TrimSpace(parts[1]),
		function: strings.TrimSpace(function), with: strings.TrimSpace(with)}
	if r.code == "*" {
		r.code = ""
	} else if _, ok := known.Explain(r.code); !ok {
		return rule{}, fmt.Errorf("unknown code %q; hint: %s", string(r.code), known.Nearest(string(r.code)))
	}
	for _, g := range []struct{ what, glob string }{{"file", r.file}, {"function", r.function}, {"function", r.with}} {
		if _, err := path.Match(g.glob, ""); err != nil {
			return rule{}, fmt.Errorf("bad %s pattern %q; hint: close the bracket, or write \\[ for a plain one",
				g.what, g.glob)
		}
	}
	return r, nil
}

// Match says whether a rule suppresses f, and which one, as written. A rule with patterns matches if they fit the file
// and the function of the call site of one place of the core, or of a library that the call site has called. Frames
// further up the stack do not count: a rule for a file must not hide everything that is called from it. A nil receiver
// has no rules.
func (s *Suppressions) Match(f *Finding) (rule string, ok bool) {
	if s == nil {
		return "", false
	}
	for _, r := range s.rules {
		if r.matches(f) {
			return r.text, true
		}
	}
	return "", false
}

func (r rule) matches(f *Finding) bool {
	if r.code != "" && r.code != f.Code {
		return false
	}
	if r.with != "" &&
		(len(f.Related) == 0 ||
			slices.ContainsFunc(f.Related, func(x Frame) bool { return !glob(r.with, x.Function) })) {
		return false
	}
	if r.file == "" && r.function == "" {
		return true
	}
	for i := range f.Places {
		p := &f.Places[i]
		within := p.Stack[:max(0, slices.Index(p.Stack, p.Frame))]
		if r.matchesFrame(p.Frame) || slices.ContainsFunc(within, r.matchesFrame) {
			return true
		}
	}
	return false
}

func (r rule) matchesFrame(f Frame) bool {
	file := cmp.Or(f.File, f.Module)
	if file != "" && !strings.Contains(r.file, "/") {
		file = path.Base(file)
	}
	return glob(r.file, file) && glob(r.function, f.Function)
}

// glob reports whether name fits the pattern, whose syntax was checked when it was read. Nothing known fits only the
// empty pattern and *.
func glob(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
