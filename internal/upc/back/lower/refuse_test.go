//go:build !quick

package lower_test

import (
	"strings"
	"testing"

	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// TestRefusals: what cannot be translated is reported with its place and the remedy.
func TestRefusals(t *testing.T) {
	cases := []struct{ source, want string }{
		{"shared [] int x;\nvoid f(void) {\n\tstruct s { shared [] int *p; };\n\tstatic struct s v = { &x };\n}\n",
			"r.upc:4:18: error: 'v' gets its value at the start of the program, so its type and value cannot use a " +
				"type or constant that is " +
				"declared in this function; hint: declare these before the function"},
		{"void f(void) {\n\tenum { A = 3 };\n\tstatic shared int n = A;\n}\n",
			"r.upc:3:20: error: 'n' gets its value at the start"},
		{"shared [2] int m[2][THREADS] = { { 1 } };\n",
			"r.upc:1:32: error: the initialiser of 'm' has THREADS in an inner dimension, and the number of threads " +
				"is not known; hint: -T N"},
	}
	for _, c := range cases {
		file, _ := syntax.Parse("r.upc", []byte(c.source))
		info := types.Check(file, config(0).Config)
		_, err := lower.Lower(file, info, config(0))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s\nis told %v, not %s", c.source, err, c.want)
		}
	}
}
