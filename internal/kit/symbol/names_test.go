//go:build !quick

package symbol

import "testing"

// Parts of a function that a compiler has made functions of, such as parallel regions, have its name.
func TestPartsOfAFunctionHaveItsName(t *testing.T) {
	for _, c := range []struct{ name, linkage, want string }{
		{"MAIN__._omp_fn.0", "", "main program"},
		{"compute._omp_fn.1", "", "compute"},
		{"", "solve.part.0", "solve"},
	} {
		if have := debugName(c.name, c.linkage, false); have != c.want {
			t.Errorf("%q, %q: %q, want %q", c.name, c.linkage, have, c.want)
		}
	}
}
