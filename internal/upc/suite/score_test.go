//go:build !quick

package suite

import (
	"errors"
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
	all           map[string]bool // its programs
	graded        map[string]bool // those that were run
	threads, mpis map[string]bool
	grades, sum   int
}

func newSection() *section {
	return &section{all: map[string]bool{}, graded: map[string]bool{}, threads: map[string]bool{},
		mpis: map[string]bool{}}
}

// section gives a section by its name. Its caller holds the lock.
func (s *scores) section(name string) *section {
	if s.sections == nil {
		s.sections = map[string]*section{}
	}
	if s.sections[name] == nil {
		s.sections[name] = newSection()
	}
	return s.sections[name]
}

// has notes a program of a section, whether it is run or not.
func (s *scores) has(name, program string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.section(name).all[program] = true
}

func (s *scores) add(name, program string, l launch, grades []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.section(name)
	at.graded[program] = true
	at.threads[fmt.Sprint(l.threads)] = true
	at.mpis[l.mpi] = true
	for _, g := range grades {
		at.grades++
		at.sum += g
	}
}

// row is the section as a line of the table. Each program has a twin.
func (s *section) row(name string) string {
	return fmt.Sprintf("| %s | %d | %[2]d | %s | %s | %s |\n", title(name), len(s.all), list(s.threads),
		list(s.mpis), s.average())
}

func title(name string) string { return strings.ReplaceAll(name, "-", " ") }

func list(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

func (s *section) average() string {
	return fmt.Sprintf("%.2f", float64(s.sum)/float64(max(s.grades, 1)))
}

// fits says what a row of the page says otherwise than a section of which a part was run: it has as many programs, with
// this average, and what they were run with is in the row.
func (s *section) fits(name, row string) error {
	cells := strings.Split(strings.Trim(row, "| \n"), " | ")
	switch {
	case len(cells) != 6 || cells[0] != title(name):
		return fmt.Errorf("%q is no row of %s", row, name)
	case cells[1] != fmt.Sprint(len(s.all)) || cells[2] != cells[1]:
		return fmt.Errorf("%s: the page has %s programs and %s twins, the section %d", name, cells[1],
			cells[2], len(s.all))
	case len(s.graded) == 0 || cells[5] != s.average():
		return fmt.Errorf("%s: the page has an average of %s, and that of %d programs is %s", name, cells[5],
			len(s.graded), s.average())
	}
	for i, set := range []map[string]bool{s.threads, s.mpis} {
		for one := range set {
			if !slices.Contains(strings.Split(cells[3+i], ", "), one) {
				return fmt.Errorf("%s: the page does not have %s", name, one)
			}
		}
	}
	return nil
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
	for _, name := range slices.Sorted(maps.Keys(s.sections)) {
		text += s.sections[name].row(name)
	}
	return text + s.whole().row("all")
}

// whole are all sections as one.
func (s *scores) whole() *section {
	all := newSection()
	for name, one := range s.sections {
		for p := range one.all {
			all.all[name+p] = true
		}
		for p := range one.graded {
			all.graded[name+p] = true
		}
		maps.Copy(all.threads, one.threads)
		maps.Copy(all.mpis, one.mpis)
		all.grades += one.grades
		all.sum += one.sum
	}
	return all
}

// compare wants the page to be what was measured, which is all of it unless -run chose a part. If few programs will do,
// each row must be right of those.
func (s *scores) compare(t *testing.T) {
	const path = "../../../docs/upc-check-score.md"
	for _, name := range slices.Sorted(maps.Keys(s.sections)) {
		t.Logf("%d graded of %s", len(s.sections[name].graded), strings.TrimSpace(s.sections[name].row(name)))
	}
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(s.text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !few() {
		if string(text) != s.text() {
			t.Errorf("%s is not what was measured; hint: go test ./internal/upc/suite -run Suite -update\n%s",
				path, s.text())
		}
		return
	}
	if err := s.fits(string(text)); err != nil {
		t.Errorf("%s: %v; hint: go test ./internal/upc/suite -run Suite -update", path, err)
	}
}

// fits compares each section with its row of the page.
func (s *scores) fits(page string) error {
	_, table, _ := strings.Cut(page, "|---|---|---|---|---|---|\n")
	rows := slices.Collect(strings.Lines(table))
	names := slices.Sorted(maps.Keys(s.sections))
	if len(rows) != len(names)+1 {
		return fmt.Errorf("%d rows for %d sections and all", len(rows), len(names))
	}
	errs := []error{s.whole().fits("all", rows[len(names)])}
	for i, name := range names {
		errs = append(errs, s.sections[name].fits(name, rows[i]))
	}
	return errors.Join(errs...)
}

// TestPartsOfAPage: of a part of the programs, a page is reported that has other programs, another average, or does not
// have what they were run with.
func TestPartsOfAPage(t *testing.T) {
	var s scores
	for _, p := range []string{"first", "second"} {
		s.has("one-section", p)
	}
	s.add("one-section", "second", launch{mpi: "mpich", threads: 4}, []int{5, 4})
	const whole = "|---|---|---|---|---|---|\n| one section | 2 | 2 | 2, 4 | mpich, openmpi | 4.50 |\n| all | 2 | 2 " +
		"| 2, 4 | mpich, openmpi | 4.50 |\n"
	if err := s.fits(whole); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{{"| 2 | 2 |", "| 3 | 3 |"}, {"| 2 | 2 |", "| 2 | 3 |"}, {"4.50", "5.00"},
		{"2, 4", "2, 14"}, {"mpich, ", ""}, {"one", "other"}} {
		if page := strings.Replace(whole, change[0], change[1], 1); s.fits(page) == nil {
			t.Errorf("nothing is told of %s", page)
		}
	}
	if page := strings.ReplaceAll(whole, "| one section | 2 | 2 | 2, 4 | mpich, openmpi | 4.50 |\n",
		""); s.fits(page) == nil {
		t.Error("a section that the page does not have is not told")
	}
}
