//go:build !quick

package symbol

import (
	"fmt"
	"os"
	"path/filepath"
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
		for _, mark := range []string{"first", "second", "third", "inner", "early", "hidden"} {
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

// TestOnlyACallThatIsMeantIsTaken has lines with the name of a procedure, of which the second to the fourth are looked
// at.
func TestOnlyACallThatIsMeantIsTaken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.f90")
	for text, want := range map[string]int{
		"call f(i)\nn = 1\n  CALL  MPI_Wait(r, s, i)\nn = 2\ncall MPI_Wait(r, s, i)\n": 3,
		"\nif (n > 1) call mpi_wait(r, s, i)\n\n\n":                                    2,
		"\nn = 1; call mpi_wait(r, s, i)\n\n\n":                                        2,
		"\ncall mpi_waitall(1, r, s, i)\n\n\n":                                         0,
		"\ncall mpi_wait(r, s, i)\n\ncall mpi_wait(r, s, i)\n":                         0,
		"\ncall mpi_wait(r, s, i) ! as below\n! call mpi_wait\n\n":                     0,
		"\n! call mpi_wait(r, s, i)\ncall wait(r, s, i)\n\n":                           0,
		"\nC     call mpi_wait(r, s, i)\n      call wait(r, s, i)\n\n":                 0,
		"\ncall mpi_wait(r, s, i)\n  end subroutine a\ncall mpi_wait(r, s, i)\n":       2,
		"\nif (n) call mpi_wait(r, s, i)\nend if\ncall mpi_wait(r, s, i)\n":            0,
		"\nprint *, 'call mpi_wait'\n\n\n":                                             0,
		"\n":                                                                           0,
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := callIn(file, 2, 4, "mpi_wait_"); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
