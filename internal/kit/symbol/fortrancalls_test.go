//go:build !quick

package symbol

import (
	"fmt"
	"testing"
)

// TestCallsOfFortranAreWhereTheyAreWritten has calls to which gfortran gives the line of the procedure that they are in:
// those of procedures with an explicit interface whose arguments are variables.
func TestCallsOfFortranAreWhereTheyAreWritten(t *testing.T) {
	w := newWorkshop(t)
	w.run("gcc -shared -fPIC -o libdisplaced.so displaced.c")
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		program := "displaced" + level
		w.run(fmt.Sprintf("gfortran -g %s -o %s displaced.f90 -L. -ldisplaced -Wl,-rpath,%s", level, program, w.dir))
		p := w.start(program)
		r := New()
		for _, mark := range []string{"first", "second", "third", "inner"} {
			at := r.Frames(p.maps, p.sites[mark], true)[0]
			if want := w.mark("displaced.f90", mark); at.Line != want || at.File != w.path("displaced.f90") {
				t.Errorf("%s: %s is called at %s:%d, want line %d", level, mark, at.File, at.Line, want)
			}
		}
		// Where two calls may be meant, it is not guessed which.
		if at, want := r.Frames(p.maps, p.sites["twice"], true)[0], w.mark("displaced.f90", "program"); at.Line != want {
			t.Errorf("%s: one of two calls is at line %d, want that of the program, %d", level, at.Line, want)
		}
		r.Close()
	}
}
