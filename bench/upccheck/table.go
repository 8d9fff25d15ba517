package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

// What UPC-CHECK has in table 2.2 for 128 threads: the average and the greatest slow-down.
const averageRatio, greatestRatio = 1.009, 1.052

// Headings of the tables of whole programs.
const (
	wholeHeading    = "## Whole programs"
	deadlockHeading = "## CG and IS, class B"
)

// published has table 2.2, as ratios, by program and class in capitals.
var published = map[string]float64{
	"cg S": 1.042, "cg W": 1.003, "cg A": 1.016, "cg B": 1.001, "ep S": 1.000, "ep W": 1.000, "ep A": 1.007,
	"ep B": 1.002, "ft B": 1.002, "is S": 1.015, "is W": 1.052, "is A": 1.028, "is B": 1.003, "mg W": 1.002, "mg B": 1.005,
}

// publishedSeconds has the columns of class B of tables 3.1 and 3.2: seconds without and with the checks for deadlocks.
var publishedSeconds = map[problem][2]float64{
	{"cg", "B", 16}: {15.4, 29.8}, {"cg", "B", 32}: {14.1, 26.8}, {"cg", "B", 64}: {14.6, 26.1},
	{"is", "B", 16}: {0.76, 1.03}, {"is", "B", 32}: {0.78, 0.93}, {"is", "B", 64}: {0.86, 0.94},
}

// unknown stands for pairs and processor time of rows of which these were not kept.
const unknown = "–"

// keptRows are the rows that the document has.
func keptRows() (map[problem]slowdown, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	rows := make(map[problem]slowdown)
	_, under, _ := section.Cut(string(text), wholeHeading)
	for line := range strings.Lines(under) {
		if s, is := readRow(line); is {
			rows[s.problem] = s
		}
	}
	return rows, nil
}

// readRow reads what rowOf has written.
func readRow(line string) (s slowdown, is bool) {
	cells := strings.Split(strings.ReplaceAll(line, " **missed**", ""), "|")
	if len(cells) != 13 {
		return s, false
	}
	for i := range cells {
		cells[i] = strings.TrimRight(strings.TrimSpace(cells[i]), " s%")
	}
	words := strings.Split(line, "|")
	s.program, s.class = strings.TrimSpace(words[1]), strings.TrimSpace(words[2])
	var errs [6]error
	s.threads, errs[0] = strconv.Atoi(cells[3])
	if cells[4] != unknown {
		s.pairs, errs[1] = strconv.Atoi(cells[4])
		s.stolen, errs[2] = strconv.ParseFloat(cells[9], 64)
	}
	s.plain, errs[3] = strconv.ParseFloat(cells[5], 64)
	s.checked, errs[4] = strconv.ParseFloat(cells[6], 64)
	s.median, errs[5] = strconv.ParseFloat(cells[7], 64)
	s.stolen /= 100
	s.day = strings.TrimSpace(words[11])
	return s, errors.Join(errs[:]...) == nil
}

// rowOf is a row of the table of whole programs.
func rowOf(s slowdown) string {
	pairs, stolen := unknown, unknown
	if s.pairs > 0 {
		pairs, stolen = strconv.Itoa(s.pairs), fmt.Sprintf("%.0f %%", 100*s.stolen)
	}
	theirs := ""
	if r, is := published[s.program+" "+s.class]; is {
		theirs = fmt.Sprintf("%.3f", r)
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %.4f s | %.4f s | %.3f%s | %.3f | %s | %s | %s |\n", s.program,
		s.class, s.threads, pairs, s.plain, s.checked, s.median, missed(s.median > greatestRatio), s.fastest(), stolen,
		theirs, s.day)
}

// writeRows writes the tables of whole programs.
func writeRows(watch quiet.Watch, rows map[problem]slowdown) error {
	order := slices.SortedFunc(maps.Keys(rows), func(a, b problem) int {
		return cmp.Or(cmp.Compare(strings.Index("SWAB", a.class), strings.Index("SWAB", b.class)),
			cmp.Compare(a.program, b.program), cmp.Compare(a.threads, b.threads))
	})
	if err := replace(wholeHeading, watch, wholeTable(order, rows)); err != nil {
		return err
	}
	return replace(deadlockHeading, watch, deadlockTable(order, rows))
}

func wholeTable(order []problem, rows map[problem]slowdown) string {
	var d strings.Builder
	fmt.Fprintf(&d, "Programs of [bench/upc](../../bench/UPC.md), compiled by `unknot upcc` and by `unknot upc-check` "+
		"and run in turn. Loops begin with a line of the cache in both (-falign-loops=64): without that, the "+
		"same loop may\ntake a third longer in one of them.\nTimes are those that the programs print, and of them the one that a quarter of the runs do not "+
		"exceed. The ratio is the median of the ratios of\nneighbouring runs; beside it is that of the times in the "+
		"row. Pairs of which the hypervisor took more than %.0f %% of the processors' time are repeated,\nup to %d "+
		"times as many pairs as count. \"Stolen\" is the largest share of such a pair that counts (– where it was not kept). "+
		"With more threads "+
		"than processors, all threads' checks\nadd up, and a thread finds none of its data in the caches when it "+
		"gets a processor again. The last column is table 2.2 of the thesis, with\n128 threads of a Cray XT, "+
		"each on a processor.\n\n", 100*quiet.Disturbed, quiet.Patience)
	if len(rows) == 0 {
		return d.String() + "Not measured.\n"
	}
	d.WriteString(summary(rows))
	d.WriteString("| program | class | threads | pairs | without | with checks | ratio | fastest | stolen | table 2.2 " +
		"| measured |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range order {
		d.WriteString(rowOf(rows[p]))
	}
	return d.String()
}

// summary compares all rows, and those with a processor for each thread, with the thesis.
func summary(rows map[problem]slowdown) string {
	var all, each []float64
	for p, s := range rows {
		all = append(all, s.median)
		if p.threads <= runtime.NumCPU() {
			each = append(each, s.median)
		}
	}
	average := func(list []float64) string {
		sum := 0.0
		for _, r := range list {
			sum += r
		}
		mean := sum / float64(len(list))
		return fmt.Sprintf("%.3f%s", mean, missed(mean > averageRatio))
	}
	greatest := func(list []float64) string {
		return fmt.Sprintf("%.3f%s", slices.Max(list), missed(slices.Max(list) > greatestRatio))
	}
	if len(each) == 0 {
		each = all
	}
	return fmt.Sprintf("| | UPC-CHECK | unknot, a processor for each thread: %d rows | all %d rows |\n|---|---|---|---|\n"+
		"| average | %.3f | %s | %s |\n| greatest | %.3f | %s | %s |\n\n", len(each), len(all), averageRatio,
		average(each), average(all), greatestRatio, greatest(each), greatest(all))
}

func deadlockTable(order []problem, rows map[problem]slowdown) string {
	var d strings.Builder
	d.WriteString("Rows of the table above beside tables 3.1 and 3.2 of the thesis: seconds without and with " +
		"checks, and the difference. Theirs are of a cluster with\na processor for each thread, and check deadlocks " +
		"only; unknot checks arguments too, with two processors for all threads.\n\n| program | threads | without | " +
		"with checks | overhead | theirs without | with | overhead |\n|---|---|---|---|---|---|---|---|\n")
	for _, p := range order {
		theirs, is := publishedSeconds[p]
		if !is {
			continue
		}
		s := rows[p]
		fmt.Fprintf(&d, "| %s | %d | %.2f s | %.2f s | %.2f s | %.2f s | %.2f s | %.2f s |\n", p.program, p.threads,
			s.plain, s.checked, s.checked-s.plain, theirs[0], theirs[1], theirs[1]-theirs[0])
	}
	return d.String()
}

func missed(isMissed bool) string {
	if isMissed {
		return " **missed**"
	}
	return ""
}
