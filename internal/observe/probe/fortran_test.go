//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
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
				if out, err := exec.Command(f.fc, "-g", "-no-pie", "-o", program,
					program+".f90").CombinedOutput(); err != nil {
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
					// gfortran 12 gives the last call of a program that uses a module the line of its first
					if c.line == "" {
						continue
					}
					if got := line(t, program, ring.Address(calls[0].Site)); got != c.line {
						t.Errorf("%s on rank %d is at line %s (%#x), want %s", c.call, c.rank, got,
							calls[0].Site, c.line)
					}
				}
				if ends := j.of(t, 1, ring.Exit, id("MPI_Recv")); len(ends) != 1 || ends[0].Words[0] != 0 ||
					mpi.StatusTag(ends[0].Words[1]) != 5 || ends[0].Words[2] != 16 {
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

const fortranFacts = `program facts
  use mpi
  integer :: rank, ierr, world, some, info, newtype, inter, req, key, given
  integer :: counts(2), displs(2), lengths(2), types(2), ranges(3, 1), x(8), y(8)
  integer(kind=MPI_ADDRESS_KIND) :: at(2), lb, extent, extra
  integer :: status(MPI_STATUS_SIZE)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  lengths = (/ 1, 2 /)
  at = (/ 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND /)
  types = (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /)
  call MPI_Type_create_struct(2, lengths, at, types, newtype, ierr)
  call MPI_Type_commit(newtype, ierr)
  call MPI_Type_get_extent(newtype, lb, extent, ierr)
  call MPI_Type_free(newtype, ierr)
  counts = (/ 1, 1 /)
  displs = (/ 0, 3 /)
  call MPI_Gatherv(x, 1, MPI_INTEGER, y, counts, displs, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
  call MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_INTEGER, y, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  ranges(:, 1) = (/ 0, 1, 1 /)
  call MPI_Group_range_incl(world, 1, ranges, some, ierr)
  call MPI_Group_free(some, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'striping_factor', '16', ierr)
  call MPI_Info_free(info, ierr)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (/ rank /), MPI_UNWEIGHTED, 1, (/ rank /), MPI_UNWEIGHTED, &
       MPI_INFO_NULL, .false., inter, ierr)
  extra = 0
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, extra, ierr)
  call MPI_Comm_free_keyval(key, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(x, -1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
  if (rank == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)
end program
`

// What a Fortran program passes is recorded as of C, with C's handles.
func TestEveryArgumentOfFortranIsRecorded(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := filepath.Join(t.TempDir(), "program")
		write(t, program+".f90", fortranFacts)
		if out, err := exec.Command(f.fc, "-g", "-no-pie", "-w", "-fallow-argument-mismatch", "-o", program,
			program+".f90").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		j := f.launch(t, 4096, 2, program)
		j.finish(t)
		k := j.constants(t)
		for _, c := range []struct {
			rank         int
			call, values string
		}{
			{0, "MPI_Type_create_struct",
				"count=2;array_of_blocklengths=1 2;array_of_displacements=0 8;array_of_types=" + k("MPI_INTEGER") +
					" " + k("MPI_DOUBLE_PRECISION")},
			{0, "MPI_Gatherv", "recvcounts=;root=1;comm=" + k("MPI_COMM_WORLD")},
			{1, "MPI_Gatherv", "recvcounts=1 1;displs=0 3;root=1"},
			{0, "MPI_Alltoallv", "sendbuf=" + k("MPI_IN_PLACE") + ";sendcounts=;recvcounts=1 1;rdispls=0 3"},
			{0, "MPI_Group_range_incl", "n=1;ranges=0 1 1"},
			{0, "MPI_Info_set", "key=striping_factor;value=16"},
			{1, "MPI_Dist_graph_create_adjacent", "sources=1;sourceweights=;destinations=1;destweights="},
			{0, "MPI_Comm_set_errhandler", "comm=" + k("MPI_COMM_SELF") + ";errhandler=" + k("MPI_ERRORS_RETURN")},
		} {
			calls := j.of(t, c.rank, ring.Enter, id(c.call))
			if len(calls) != 1 {
				t.Errorf("rank %d: %s is recorded %d times", c.rank, c.call, len(calls))
				continue
			}
			for pair := range strings.SplitSeq(c.values, ";") {
				name, want, _ := strings.Cut(pair, "=")
				if got := calls[0].value(t, name); got != want {
					t.Errorf("rank %d, %s: %s is %q, want %q", c.rank, c.call, name, got, want)
				}
			}
		}
		for _, c := range []struct{ maker, made, freer, freed string }{
			{"MPI_Type_create_struct", "newtype", "MPI_Type_free", "datatype"},
			{"MPI_Group_range_incl", "newgroup", "MPI_Group_free", "group"},
			{"MPI_Info_create", "info", "MPI_Info_free", "info"},
			{"MPI_Comm_create_keyval", "comm_keyval", "MPI_Comm_free_keyval", "comm_keyval"},
		} {
			ends, frees := j.of(t, 0, ring.Exit, id(c.maker)), j.of(t, 0, ring.Enter, id(c.freer))
			if len(ends) != 1 || len(frees) != 1 {
				t.Errorf("%s ends %d times, %s is called %d times", c.maker, len(ends), c.freer, len(frees))
				continue
			}
			if made, _, _ := strings.Cut(ends[0].value(t, c.made), " "); made != frees[0].value(t, c.freed) {
				t.Errorf("%s gives %s, %s gets %s", c.maker, made, c.freer, frees[0].value(t, c.freed))
			}
		}
		if failed := j.data(t, 0, ring.DataError); len(failed) != 1 || failed[0].Words[0] != uint64(id("MPI_Send")) {
			t.Errorf("errors %v", failed)
		}
		if got := strings.Join(j.outside(t), ", "); got != "after MPI_Barrier 1" {
			t.Errorf("calls outside of MPI's life: %q\n%s", got, j.out.String())
		}
	})
}
