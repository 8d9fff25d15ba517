//go:build !quick

package symbol

import (
	"fmt"
	"strings"
	"testing"
)

func TestFormatsOfArraysAreRead(t *testing.T) {
	for _, x := range []struct{ format, want string }{
		{"h", "2 int16: 0+2 integer"},
		{"d", "8 float64: 0+8 real"},
		{"Zf", "8 complex64: 0+4 real, 4+4 real"},
		{"=Zd", "16 complex128: 0+8 real, 8+8 real"},
		{"=l", "4 int32: 0+4 integer"},
		{">i", "4 int32: 0+4 opaque"},
		{"B", "1 uint8: 0+1 opaque"},
		{"3w", "12 str: 0+12 opaque"},
		{"T{i:a:=d:b:}", "12 structured: 0+4 integer ['a'], 4+8 real ['b']"},
		{"T{i:a:xxxxd:b:}", "16 structured: 0+4 integer ['a'], 8+8 real ['b']"},
		{"T{(3)=f:x:b:n:}", "13 structured: 0+4 real ['x'], 4+4 real ['x'], 8+4 real ['x'], 12+1 opaque ['n']"},
		{"T{T{h:u:=d:v:}:p:>i:q:}", "14 structured: 0+2 integer ['p']['u'], 2+8 real ['p']['v'], 10+4 opaque ['q']"},
		{"T{(2)T{h:u:x}:p:}", "6 structured: 0+2 integer ['p']['u'], 3+2 integer ['p']['u']"},
		{"8x", ""}, {"", ""}, {"T{", ""}, {"T{i:a", ""}, {"Z", ""}, {"Zi", ""}, {"(2", ""}, {"k", ""}, {"ii", ""},
		{"99999999999999999999i", ""},
	} {
		d, ok := Array(x.format)
		got := ""
		if ok {
			var list []string
			for _, e := range d.Elements {
				list = append(list,
					strings.TrimSpace(fmt.Sprintf("%d+%d %s %s", e.At, e.Size, []string{"opaque", "integer", "real",
						"pointer"}[e.Kind], e.Name)))
			}
			got = fmt.Sprintf("%d %s: %s", d.Size, d.Type, strings.Join(list, ", "))
		}
		if got != x.want {
			t.Errorf("%q is read as %q, want %q", x.format, got, x.want)
		}
	}
}
