package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
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

// rowFormat is a row of the table of whole programs; what was published comes after it.
const rowFormat = "| %s | %s | %d | %d | %.4f s | %.4f s | %.3f | %.3f | %.0f %% |"

// keptRows are the rows that the document has.
func keptRows() (map[problem]slowdown, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	rows := make(map[problem]slowdown)
	_, under, _ := section.Cut(string(text), wholeHeading)
	for line := range strings.Lines(under) {
		var s slowdown
		line = strings.ReplaceAll(line, " **missed**", "")
		if n, _ := fmt.Sscanf(line, rowFormat, &s.program, &s.class, &s.threads, &s.pairs, &s.plain, &s.checked,
			new(float64), &s.median, &s.stolen); n == 9 {
			s.stolen /= 100
			rows[s.problem] = s
		}
	}
	return rows, nil
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
	d.WriteString("Programs of [bench/upc](../../bench/UPC.md), compiled by `unknot upcc` and by `unknot upc-check` " +
		"and run in turn. Loops begin with a line of the cache in both (-falign-loops=64): without that, the " +
		"same loop may\ntake a third longer in one of them. Rows that the last measurement had no time for are of an " +
		"earlier one.\nTimes are those " +
		"that the programs print, and of them the one that a quarter of the runs do not exceed: others on " +
		"the\nmachine disturb runs more than checks do. The ratio is theirs. Beside it is the median of the ratios " +
		"of neighbouring runs. Pairs of which the hypervisor took\nmore than ")
	fmt.Fprintf(&d, "%.0f %% of the processors' time are repeated, up to %d times as many pairs as count. "+
		"\"Stolen\" is the largest share of such a pair that counts. With\nmore threads than processors, times show "+
		"how waiting behaves as well. The last column is table 2.2 of the thesis, with 128 threads of a Cray XT.\n\n",
		100*quiet.Disturbed, quiet.Patience)
	var ratios []float64
	for _, s := range rows {
		ratios = append(ratios, s.ratio())
	}
	if len(ratios) == 0 {
		return d.String() + "Not measured.\n"
	}
	sum := 0.0
	for _, r := range ratios {
		sum += r
	}
	average, greatest := sum/float64(len(ratios)), slices.Max(ratios)
	fmt.Fprintf(&d, "| | UPC-CHECK | unknot |\n|---|---|---|\n| average | %.3f | %.3f%s |\n| greatest | %.3f | "+
		"%.3f%s |\n\n", averageRatio, average, missed(average > averageRatio), greatestRatio, greatest,
		missed(greatest > greatestRatio))
	d.WriteString("| program | class | threads | pairs | without | with checks | ratio | median | stolen | table 2.2 " +
		"|\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range order {
		s := rows[p]
		line := fmt.Sprintf(rowFormat, s.program, s.class, s.threads, s.pairs, s.plain, s.checked, s.ratio(), s.median,
			100*s.stolen)
		if s.ratio() > greatestRatio {
			ratio := fmt.Sprintf(" %.3f |", s.ratio())
			line = strings.Replace(line, ratio, strings.TrimSuffix(ratio, " |")+missed(true)+" |", 1)
		}
		theirs := ""
		if r, is := published[p.program+" "+p.class]; is {
			theirs = fmt.Sprintf("%.3f", r)
		}
		fmt.Fprintf(&d, "%s %s |\n", line, theirs)
	}
	return d.String()
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
