package shmem

import "testing"

// TestElementsOfVariables are named only if the access can be to one.
func TestElementsOfVariables(t *testing.T) {
	for _, c := range []struct {
		at, size uint64
		want     string
	}{{0, 8, "`x[0]`"}, {24, 8, "`x[3]`"}, {24, 0, "byte 24 of `x`"}, {0, 80, "`x`"}, {0, 0, "`x`"},
		{4, 8, "byte 4 of `x`"}, {0, 12, "`x`"}} {
		o := Object{Memory: Variable, Name: "x", Bytes: 80, At: c.at, Size: c.size}
		if got := o.String(); got != c.want {
			t.Errorf("%d bytes at %d: %s, want %s", c.size, c.at, got, c.want)
		}
	}
}
