package main

import (
	"fmt"
	"strconv"
	"strings"

	"unknot/bench/quiet"
)

// problem is a program in a class with a number of threads: a row of the table.
type problem struct {
	name, class string
	threads     int
}

// columns are those of the table.
func columns() []string {
	return []string{"program", "what", "class", "threads", "UPC", "MPI", "UPC / MPI", "fastest", "processors: UPC", "MPI",
		"UPC / MPI", "stolen", "promised"}
}

// line is the row in the document.
func (r *row) line() string {
	promised := "at most " + strconv.FormatFloat(r.limit, 'f', 2, 64)
	if r.ratio > r.limit {
		promised += ": **missed**"
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %.4f s | %.4f s | %.2f | %.2f | %.2f s | %.2f s | %.2f | %.0f %% | %s |",
		r.name, r.what, r.class, r.threads, r.upc, r.mpi, r.ratio, r.fastest, r.upcProcessor, r.mpiProcessor,
		r.processor, 100*r.stolen, promised)
}

// rowsOf are the rows of a page that was written before.
func rowsOf(text string) map[problem]string {
	rows := make(map[problem]string)
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) != len(columns()) {
			continue
		}
		if n, err := strconv.Atoi(cells[3]); err == nil {
			rows[problem{strings.TrimPrefix(cells[0], "| "), cells[2], n}] = strings.TrimSuffix(line, "\n")
		}
	}
	return rows
}

// page is bench/UPC.md.
func (b *bench) page(rows map[problem]string) []byte {
	var d strings.Builder
	fmt.Fprintf(&d, "# UPC against MPI\n\n%s\nRows that were not measured then are of an earlier day.\n\n"+
		"Each program of [bench/upc/programs](upc/programs) solves its problem in UPC, compiled by `unknot upcc`, "+
		"and in C with MPI (%s here), both with -O2 and loops that begin with a line of the cache.\n"+
		"The seconds are those that the program takes for its problem, "+
		"without its start: medians of %d runs. The ratio is the\nmedian of the ratios of neighbouring runs, and "+
		"beside it is that of the fastest runs. \"processors\" is the processor time of\nthe whole job, launcher, "+
		"start and end included. With more threads than processors it says how the work scales, and the\nseconds "+
		"how waiting behaves. THREADS is dynamic. Pairs of runs are made until %d of them had more than %.0f %% of "+
		"the\nprocessors' time to themselves, but %d at most. The least disturbed ones count. \"stolen\" is the "+
		"largest share that the\nhypervisor gave to others in one.\n\n", b.watch.Caption("upc"), b.mpi, b.pairs,
		b.pairs, 100*(1-quiet.Disturbed), quiet.Patience*b.pairs)
	fmt.Fprintf(&d, "| %s |\n|%s\n", strings.Join(columns(), " | "), strings.Repeat("---|", len(columns())))
	for _, class := range []string{"S", "W", "A", "B"} {
		for _, k := range kernels() {
			for n := range mostThreads + 1 {
				if line, measured := rows[problem{k.name, class, n}]; measured {
					d.WriteString(line + "\n")
				}
			}
		}
	}
	return []byte(d.String())
}

// mostThreads is the largest number of threads of a row.
const mostThreads = 64
