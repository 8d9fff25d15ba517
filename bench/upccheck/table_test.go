package main

import "testing"

// TestRowsAreKept reads rows as they are written.
func TestRowsAreKept(t *testing.T) {
	for _, s := range []slowdown{
		{problem{"is", "S", 2}, 14, 0.0145, 0.0143, 1.036, 0.02, "30 Nov"},
		{problem{"ft", "B", 64}, 0, 12.5, 25, 2.001, 0, "2 Dec"},
	} {
		row := rowOf(s)
		if got, is := readRow(row); !is || got != s {
			t.Errorf("%q is read as %v, %v", row, got, is)
		}
	}
	for _, other := range []string{"", "| a |", "|---|---|---|---|---|---|---|---|---|---|---|\n",
		"| program | class | threads | pairs | without | with checks | ratio | fastest | stolen | table 2.2 | measured |\n"} {
		if _, is := readRow(other); is {
			t.Errorf("%q is taken for a row", other)
		}
	}
}
