package check

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
)

// Selection says which checkers are on: the default ones, changed by what the user asked for, in order.
type Selection []Choice

// Choice switches checkers on or off by the name of one, of a code, of a family, or "all".
type Choice struct {
	Name string
	On   bool
}

// String is the selection as one word, which ParseSelection reads: "+message-race,-leaks".
func (s Selection) String() string {
	var parts []string
	for _, c := range s {
		sign := "-"
		if c.On {
			sign = "+"
		}
		parts = append(parts, sign+c.Name)
	}
	return strings.Join(parts, ",")
}

// ParseSelection reads what String writes. Whether there are checks of these names is for Add to say.
func ParseSelection(text string) (Selection, error) {
	var s Selection
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		if part[0] != '+' && part[0] != '-' {
			return nil, fmt.Errorf("%q: expected + or - before the name of a check", part)
		}
		s = append(s, Choice{part[1:], part[0] == '+'})
	}
	return s, nil
}

// MarshalText has a selection written in JSON as String writes it.
func (s Selection) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads that.
func (s *Selection) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSelection(string(text))
	return err
}

// Add switches what the names, with commas between them, stand for among all checkers. An unknown name is an error that
// suggests another.
func (s *Selection) Add(names string, on bool, all []Checker) error {
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		var known []string
		found := name == "all"
		for _, f := range Families() {
			known = append(known, string(f))
		}
		for _, c := range all {
			known = append(known, c.Name)
			for _, d := range c.Codes {
				known = append(known, string(d.Code))
			}
		}
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			return fmt.Errorf("no check %q; hint: %s", name, finding.Nearest(name, known, "`unknot checks` lists them"))
		}
		*s = append(*s, Choice{name, on})
	}
	return nil
}

// None says whether all checks are off.
func (s Selection) None() bool {
	return len(s) > 0 && s[len(s)-1] == Choice{Name: "all"}
}

// Codes are those of all checkers that are on.
func (s Selection) Codes(all []Checker) map[finding.Code]bool {
	out := make(map[finding.Code]bool)
	for _, c := range all {
		for _, d := range c.Codes {
			if s.Enabled(&c, d.Code) {
				out[d.Code] = true
			}
		}
	}
	return out
}

// Named says whether the user asked for a checker, or for a code of it, by its own name and did not take that back.
func (s Selection) Named(checker string, code finding.Code) bool {
	named := false
	for _, choice := range s {
		if choice.Name == checker || choice.Name == string(code) {
			named = choice.On
		}
	}
	return named
}

// Enabled says whether a code of a checker is on.
func (s Selection) Enabled(c *Checker, code finding.Code) bool {
	on := !c.Off
	for _, choice := range s {
		if choice.Name == "all" || choice.Name == c.Name || choice.Name == string(c.Family) ||
			choice.Name == string(code) {
			on = choice.On
		}
	}
	return on
}
