package suite

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scores are the grades of each section, from all tests that give some.
type scores struct {
	mu       sync.Mutex
	sections map[string]*section
}

// A section is a row of the page.
type section struct {
	programs, threads, mpis map[string]bool
	grades, sum             int
}

func newSection() *section {
	return &section{programs: map[string]bool{}, threads: map[string]bool{}, mpis: map[string]bool{}}
}

func (s *scores) add(name, program string, l launch, grades []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sections == nil {
		s.sections = map[string]*section{}
	}
	if s.sections[name] == nil {
		s.sections[name] = newSection()
	}
	at := s.sections[name]
	at.programs[program] = true
	at.threads[fmt.Sprint(l.threads)] = true
	at.mpis[l.mpi] = true
	for _, g := range grades {
		at.grades++
		at.sum += g
	}
}

// row is the section as a line of the table. Each program has a twin.
func (s *section) row(name string) string {
	list := func(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
	return fmt.Sprintf("| %s | %d | %[2]d | %s | %s | %.2f |\n", strings.ReplaceAll(name, "-", " "), len(s.programs), list(s.threads), list(s.mpis),
		float64(s.sum)/float64(max(s.grades, 1)))
}

const page = `# How good the messages of upc-check are

Made by %s, which runs everything counted here. Nothing may be reported for a corrected twin, and the
average of each section must be 5.00.

Each message gets a point for each of five required facts:

| point | the message has |
|---|---|
| detected | the check that is violated |
| kind | error or warning, and what kind of error it is |
| place | file and line of all places that matter: the call, its counterpart on other threads, where a lock was taken |
| threads | which threads are concerned, and in which way |
| cause | what is wrong: the argument with its expression, value and declarations, the chain of locks, the operations that do not match |

Arguments are errors in single calls, run with a stand-in for the runtime that continues after each of them; an error with its row in
[the catalogue](upc-catalogue.md) counts as a program. The tutorial has the five programs of UPC-CHECK's guide, rewritten. All other sections are whole
programs compiled by the command.

| section | programs | twins | threads | MPI libraries | average |
|---|---|---|---|---|---|
`

// text is the page.
func (s *scores) text() string {
	text := fmt.Sprintf(page, "`go test ./internal/upc/suite -run Suite -update`")
	all := newSection()
	for _, name := range slices.Sorted(maps.Keys(s.sections)) {
		one := s.sections[name]
		text += one.row(name)
		for p := range one.programs {
			all.programs[name+p] = true
		}
		maps.Copy(all.threads, one.threads)
		maps.Copy(all.mpis, one.mpis)
		all.grades += one.grades
		all.sum += one.sum
	}
	return text + all.row("all")
}

// compare wants the page to be what was measured, which is all of it unless -run chose a part.
func (s *scores) compare(t *testing.T) {
	const path = "../../../docs/upc-check-score.md"
	for _, name := range slices.Sorted(maps.Keys(s.sections)) {
		t.Log(strings.TrimSpace(s.sections[name].row(name)))
	}
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(s.text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != s.text() {
		t.Errorf("%s is not what was measured; hint: go test ./internal/upc/suite -run Suite -update\n%s", path, s.text())
	}
}
