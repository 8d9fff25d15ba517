package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"unknot/bench/section"
)

const publishedHeading = "## Beside table 1"

// theirs is a row of the paper's table 1: class C of NAS, guppie and psearch on 16 cores of a Cray XE6.
type theirs struct {
	ours                                 string // the program here
	name                                 string
	lines, seconds, races                string
	noLocals, half, places, first, every string // overheads: NL, HA.5, IA, FA0, I
}

func table1() []theirs {
	return []theirs{
		{"gups", "guppie", "271", "19.1", "2(2) + 0(0)", "54.9 %", "54.2 %", "53.7 %", "DNF", "74.9 %"},
		{"psearch", "psearch", "803", "0.7", "3(1) + 2(2)", "2.5 %", "10.8 %", "666 %", "8.0 %", "6490 %"},
		{"bt", "BT 3.3", "9698", "189.5", "7(0) + 3(1)", "0.6 %", "1.2 %", "77.6 %", "DNF", "–"},
		{"cg", "CG 2.4", "1654", "39.6", "0(0) + 1(1)", "1.1 %", "27.6 %", "57.6 %", "DNF", "2579 %"},
		{"ep", "EP 2.4", "678", "54.5", "0(0) + 0(0)", "-0.6 %", "0.8 %", "2.1 %", "4.7 %", "111 %"},
		{"ft", "FT 2.4", "2289", "62.7", "2(2) + 0(0)", "0.6 %", "30.1 %", "121 %", "DNF", "2744 %"},
		{"is", "IS 2.4", "1426", "5.1", "0(0) + 0(0)", "0.4 %", "119 %", "159 %", "DNF", "1201 %"},
		{"lu", "LU 3.3", "6348", "156.0", "0(0) + 44(2)", "-0.4 %", "–", "75.7 %", "DNF", "–"},
		{"mg", "MG 2.4", "2229", "18.7", "2(2) + 4(0)", "0.3 %", "176 %", "632 %", "DNF", "2020 %"},
		{"sp", "SP 3.3", "5740", "247.9", "10(0) + 3(1)", "0.2 %", "0.9 %", "29.1 %", "DNF", "–"},
	}
}

// published is the paper's table 1 with our numbers beside. The overheads are those of the table of costs.
func published(b *bench) *table {
	t := &table{heading: publishedHeading, columns: []string{"program", "lines", "runtime", "races",
		"races, a barrier left out", "NL", "HA0.5", "IA", "FA0", "I"}}
	class := b.classesOr("A")[0]
	t.about = fmt.Sprintf("Each cell has the paper's number (class C, 16 cores), then ours: runtimes and overheads "+
		"are those of class %s with %d threads in [the table of costs](#data-races);\nraces are A(B) + C(D): A "+
		"found by accesses through pointers-to-shared and by transfers (NL), of which B were confirmed by "+
		"--confirm, and C more by all (sampling all), of which D were confirmed.\nThey are those of class S, of the "+
		"program as it is, and then of the program with a barrier left out, for which there is nothing in the "+
		"paper. Of more than 16 races only 16 are run again.\nLines are those of the program with its headers.",
		class, b.threadsOr(usualThreads)[0])
	for _, row1 := range table1() {
		for _, k := range kernels() {
			if k.name == row1.ours {
				t.rows = append(t.rows, row{[]string{k.name}, func() ([]string, error) { return b.beside(k, &row1, class) }})
			}
		}
	}
	return t
}

// beside makes a row.
func (b *bench) beside(k kernel, paper *theirs, class string) ([]string, error) {
	asIs, err := b.races(k, watched)
	if err != nil {
		return nil, err
	}
	without := "–"
	if k.barrier > 0 {
		if without, err = b.races(k, broken); err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	_, under, _ := section.Cut(string(text), costHeading)
	costs := cost(b)
	costs.keep(under)
	cells := costs.cells(k.name, class)
	overhead := func(theirs, sampling string) string {
		if cells == nil {
			return theirs + "; –"
		}
		number := cells[column(sampling)]
		if n, ok := ratioOf(number); ok {
			return fmt.Sprintf("%s; %.0f %%", theirs, 100*(n-1))
		}
		return theirs + "; –"
	}
	seconds := "–"
	if cells != nil {
		seconds = cells[2]
	}
	lines, err := linesOf(filepath.Join("bench/upc/programs", k.name+".upc"))
	return []string{fmt.Sprintf("%s; %d", paper.lines, lines), paper.seconds + " s; " + seconds,
		paper.races + "; " + asIs, without, overhead(paper.noLocals, "NL"), overhead(paper.half, "HA0.5"),
		overhead(paper.places, "IA"), overhead(paper.first, "FA0"), overhead(paper.every, "I")}, err
}

// races counts those of a form of a program, as the paper does.
func (b *bench) races(k kernel, form string) (string, error) {
	h := how{form: form, class: "S", threads: b.threadsOr(usualThreads)[0], sampling: "NL", confirm: true}
	by, err := b.once(k, h)
	if err != nil {
		return "", err
	}
	h.sampling = "all"
	all, err := b.once(k, h)
	if err != nil {
		return "", err
	}
	more := maps.Clone(all.races)
	for r := range by.races {
		delete(more, r)
	}
	confirmed := func(races map[string]bool) (n int) {
		for _, is := range races {
			if is {
				n++
			}
		}
		return n
	}
	return fmt.Sprintf("%d(%d) + %d(%d)", len(by.races), confirmed(by.races), len(more), confirmed(more)), nil
}

var included = regexp.MustCompile(`(?m)^#include "(.*)"$`)

// linesOf counts the lines of a program, with those of its own headers.
func linesOf(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	n := strings.Count(string(text), "\n")
	for _, m := range included.FindAllStringSubmatch(string(text), -1) {
		more, err := linesOf(filepath.Join(filepath.Dir(path), m[1]))
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}
