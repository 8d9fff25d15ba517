//go:build !quick

package symbol

import "testing"

func TestFieldsOfStructs(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -gdwarf-5 fields.c -o c5")
	w.run("gcc -gdwarf-4 -gz fields.c -o c4")
	w.run("g++ -g fields.cc -o cxx")
	w.run("gfortran -g fields.f90 -o fortran")
	w.run("gcc fields.c -o plain")
	body := []int64{0, 8, 24}
	for _, x := range []struct {
		program, name string
		size          int64
		at            []int64
		offset        int64
		sizes         []int64
		want          string
	}{
		{"c5", "first", 112, body, 0, nil, "id"},
		{"c4", "a qualified type with another name", 112, body, 8, nil, "mass"},
		{"c5", "a struct in it", 112, body, 24, nil, "at.y"},
		{"c5", "an array of structs", 112, body, 80, nil, "path[3].x"},
		{"c5", "a struct without a name", 112, body, 100, nil, "g"},
		{"c5", "an element of an array", 112, body, 6, nil, "kind"},
		{"c5", "a union", 112, body, 104, nil, "any"},
		{"c5", "no member begins there", 112, body, 12, nil, ""},
		{"c5", "a bit field has no place", 112, body, 108, nil, ""},
		{"c5", "another size", 120, body, 8, nil, ""},
		{"c5", "a displacement where no member is", 112, []int64{0, 12}, 0, nil, ""},
		{"c5", "two structs that disagree", 8, []int64{0, 4}, 0, nil, ""},
		{"c5", "two structs that agree", 24, []int64{0, 8}, 12, nil, "b"},
		{"c5", "two structs that disagree, of which one has the sizes", 8, []int64{0, 4}, 4, []int64{8, 4}, ""},
		{"c5", "a pointer is no member", 40, []int64{0, 8}, 8, nil, "kept"},
		{"c5", "of several structs the one with the sizes", 40, []int64{0, 16}, 16, []int64{8, 4}, "label"},
		{"cxx", "a base class", 32, []int64{0, 8}, 0, nil, "mass"},
		{"cxx", "an array of a base class", 32, []int64{0, 8}, 24, nil, "parts[1].mass"},
		{"fortran", "a derived type", 48, []int64{0, 16, 40}, 8, nil, "at%y"},
		{"fortran", "an array in it", 48, []int64{0, 16, 40}, 24, nil, "mass"},
		{"plain", "without debug information", 112, body, 8, nil, ""},
	} {
		f := openELF(w.path(x.program))
		if f == nil {
			t.Fatalf("%s cannot be opened", x.program)
		}
		d := openDebug(f.File)
		got := ""
		if d != nil {
			got = d.field(Struct{Size: x.size, Displacements: x.at, Sizes: x.sizes, Offset: x.offset})
		}
		f.Close()
		if got != x.want {
			t.Errorf("%s, %s: %q, want %q", x.program, x.name, got, x.want)
		}
	}
}
