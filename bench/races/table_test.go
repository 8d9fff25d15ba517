package main

import (
	"strings"
	"testing"

	"unknot/bench/quiet"
)

func TestRowsThatAreNotMeasuredStay(t *testing.T) {
	sample := func() *table {
		return &table{heading: "## T", about: "About.", columns: []string{"program", "class", "a"},
			rows: []row{{key: []string{"mg", "S"}}, {key: []string{"mg", "W"}}, {key: []string{"is", "S"}}}}
	}
	first := sample()
	first.keep("")
	first.put([]string{"is", "S"}, []string{"1"})
	first.put([]string{"mg", "S"}, []string{"2"})
	other := sample() // that is asked for another class
	other.rows = []row{{key: []string{"mg", "A"}}}
	other.keep(first.text("Caption."))
	again := sample()
	again.keep(other.text("Caption."))
	again.put([]string{"mg", "S"}, []string{"3"})
	want := "| program | class | a | measured |\n|---|---|---|---|\n| mg | S | 3 | " + quiet.Day() + " |\n| is | S | 1 | " +
		quiet.Day() + " |\n"
	if got := again.text("Caption."); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant it to end with\n%s", got, want)
	}
	if got := again.cells("is", "S"); len(got) != 3 || got[2] != "1" {
		t.Errorf("is, S: %q", got)
	}
	if first := again.newFirst()[0]; strings.Join(first.key, " ") != "mg W" {
		t.Errorf("%q is measured first", first.key)
	}
	if got := again.cells("mg", "W"); got != nil {
		t.Errorf("mg, W: %q, which was never measured", got)
	}
}

func TestRatiosOfCells(t *testing.T) {
	for cell, want := range map[string]float64{"1.25 (1.10); 0 + 5": 1.25, "more than 37; 0": 0, "–": 0} {
		if got, ok := ratioOf(cell); got != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v", cell, got, ok)
		}
	}
}
