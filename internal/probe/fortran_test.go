package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/probe/mpiapi"
	"unknot/internal/ring"
)

const fortran = `program ring
  %s
  integer :: rank, ierr, x(4)
  %s :: status%s
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
     call MPI_Send(x, 4, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
  else
     call MPI_Recv(x, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
  end if
  call MPI_Finalize(ierr)
end program
`

func TestFortranCallsAreSeenOnceAtTheirLines(t *testing.T) {
	bindings := []struct{ name, use, status, shape string }{
		{"mpif.h", "include 'mpif.h'", "integer", "(MPI_STATUS_SIZE)"},
		{"mpi", "use mpi", "integer", "(MPI_STATUS_SIZE)"},
		{"mpi_f08", "use mpi_f08", "type(MPI_Status)", ""},
	}
	onBoth(t, func(t *testing.T, f flavour) {
		for _, b := range bindings {
			t.Run(b.name, func(t *testing.T) {
				program := filepath.Join(t.TempDir(), "program")
				write(t, program+".f90", fmt.Sprintf(fortran, b.use, b.status, b.shape))
				if out, err := exec.Command(f.fc, "-g", "-no-pie", "-o", program, program+".f90").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				j := f.launch(t, 512, 2, program)
				if code := j.finish(t); code != 0 {
					t.Fatalf("exit status %d\n%s", code, j.out.String())
				}
				for _, c := range []struct {
					rank int
					call string
					line string
				}{{0, "MPI_Send", "8"}, {1, "MPI_Recv", "10"}, {0, "MPI_Finalize", ""}, {1, "MPI_Finalize", ""}} {
					calls := j.of(t, c.rank, ring.Enter, id(c.call))
					if len(calls) != 1 {
						t.Errorf("%s is recorded %d times on rank %d", c.call, len(calls), c.rank)
						continue
					}
					if c.line == "" { // gfortran 12 gives the last call of a program that uses a module the line of its first
						continue
					}
					if got := line(t, program, calls[0].Site); got != c.line {
						t.Errorf("%s on rank %d is at line %s (%#x), want %s", c.call, c.rank, got, calls[0].Site, c.line)
					}
				}
				if ends := j.of(t, 1, ring.Exit, id("MPI_Recv")); len(ends) != 1 || ends[0].Words[0] != 0 || mpiapi.StatusTag(ends[0].Words[1]) != 5 || ends[0].Words[2] != 16 {
					t.Errorf("ends of MPI_Recv: %v", ends)
				}
				for rank := range 2 {
					if r := j.first(t, rank); !r.Final() {
						t.Errorf("rank %d is not known to have finalised", rank)
					}
				}
			})
		}
	})
}

// line resolves a return address in a program without position independence.
func line(t *testing.T, program string, site uint64) string {
	t.Helper()
	out, err := exec.Command("addr2line", "-e", program, fmt.Sprintf("%#x", site-1)).Output()
	if err != nil {
		t.Fatal(err)
	}
	place := strings.Fields(string(out))[0]
	return place[strings.LastIndex(place, ":")+1:]
}
