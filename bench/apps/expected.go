package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"unknot/internal/vocab/finding"
)

// expectation says what is to be found in some cases. A file has one a line, with tabs between its fields: the names of
// the programs as a regular expression, the MPI library or "any", the codes of which each one is right, with commas
// between them, the place as "file:line" or "any", "must" if it is always found and "may" if not, and why it is true.
type expectation struct {
	names *regexp.Regexp
	mpi   string
	codes []string
	at    string
	must  bool
	line  int // in the file
	why   string
}

// readExpected reads a file of expectations; "#" begins a comment.
func readExpected(path string) (list []expectation, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		n++
		if s.Text() == "" || strings.HasPrefix(s.Text(), "#") {
			continue
		}
		field := strings.Split(s.Text(), "\t")
		if len(field) != 6 {
			return nil, fmt.Errorf("%s:%d: %d fields with tabs between them, want 6", path, n, len(field))
		}
		names, err := regexp.Compile("^(?:" + field[0] + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if field[4] != "must" && field[4] != "may" {
			return nil, fmt.Errorf("%s:%d: %q, want must or may", path, n, field[4])
		}
		list = append(list, expectation{names: names, mpi: field[1], codes: strings.Split(field[2], ","), at: field[3],
			must: field[4] == "must", why: field[5], line: n})
	}
	return list, nil
}

// concerns says whether an expectation is about a case. Names of the suite's cases begin with the library's.
func (e *expectation) concerns(c Case) bool {
	return (e.mpi == "any" || e.mpi == c.MPI) && e.names.MatchString(strings.TrimPrefix(c.Name, c.MPI+":"))
}

// meets says whether a finding is what an expectation speaks of.
func (e *expectation) meets(f *finding.Finding) bool {
	code := false
	for _, c := range e.codes {
		code = code || c == string(f.Code)
	}
	if !code || e.at == "any" {
		return code
	}
	for _, p := range f.Places {
		if place(p) == e.at {
			return true
		}
	}
	return false
}

// place is a position in a program as expectations write it.
func place(p finding.Place) string {
	if p.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}

// Judged is what expectations say of a result.
type Judged struct {
	Met         int               // findings that have to be there, and are
	Missed      []string          // expected, and not found
	Unexplained []finding.Finding // found, and not expected
}

// judge compares a result with what is expected of it. Findings that are information only need no reason. A run that
// was ended as it took too long may not have come to what is missed.
func judge(r Result, list []expectation) (j Judged) {
	if r.Run == nil {
		return j
	}
	explained := make([]bool, len(r.Findings))
	for i := range list {
		e := &list[i]
		if !e.concerns(r.Case) {
			continue
		}
		found := false
		for k := range r.Findings {
			if e.meets(&r.Findings[k]) {
				found, explained[k] = true, true
			}
		}
		switch {
		case e.must && found:
			j.Met++
		case e.must && !r.Watched.TimedOut:
			j.Missed = append(j.Missed, strings.Join(e.codes, " or ")+" at "+e.at)
		}
	}
	for k, f := range r.Findings {
		if !explained[k] && f.Severity != finding.Info {
			j.Unexplained = append(j.Unexplained, f)
		}
	}
	return j
}
