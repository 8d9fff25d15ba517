package main

import (
	"maps"
	"strings"
	"testing"

	"unknot/bench/quiet"
)

// TestRowsThatAreNotMeasuredStay: a page is read as it is written, and its rows are in the order of the programs.
func TestRowsThatAreNotMeasuredStay(t *testing.T) {
	b := &bench{watch: quiet.Start(), mpi: "openmpi", pairs: 1}
	rows := make(map[problem]string)
	for i, k := range kernels() {
		r := row{kernel: k, class: "SWAB"[i%4 : i%4+1], threads: 1 << (i % 3), upc: 2, mpi: 1, ratio: 2}
		rows[problem{r.name, r.class, r.threads}] = r.line()
	}
	page := string(b.page(rows))
	if again := rowsOf(page); !maps.Equal(again, rows) {
		t.Errorf("%d rows are %d rows when they are read\n%s", len(rows), len(again), page)
	}
	if first, last := strings.Index(page, "| S |"), strings.Index(page, "| B |"); first < 0 || last < first {
		t.Errorf("class B at %d, class S at %d\n%s", last, first, page)
	}
	if !strings.Contains(page, "at most 1.25: **missed**") {
		t.Errorf("no row misses what is promised\n%s", page)
	}
}
