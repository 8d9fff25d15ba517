//go:build !quick

package probe

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// starve is a library whose allocator refuses what the probe asks for, after starve(n) from the nth time on.
const starve = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static int left, refused;
int starve(int n) { left = n; return refused; }
static int refuse(void *ra)
{
    Dl_info i;
    if (left == 0 || !dladdr(ra, &i) || !strstr(i.dli_fname, "/probe-"))
        return 0;
    return left > 1 ? left--, 0 : ++refused;
}
void *malloc(size_t n) { return refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return refuse(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n); }
`

// starving makes that library.
func starving(t *testing.T) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), "starve.so")
	write(t, library+".c", starve)
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, library+".c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}

// starved launches a program with it. Sent is how closely the data of sends is looked at.
func (f flavour) starved(t *testing.T, library string, sent uint32, n int, program ...string) *job {
	t.Helper()
	s := session(t, ring.Options{Ranks: n, Slots: 512, Sent: sent})
	return f.launchIn(t, s, n, append([]string{"env", "LD_PRELOAD=" + library + ":" + f.probe(t).Path}, program...)...)
}

// given fails unless the program has ended well, and says "right" so often.
func (j *job) given(t *testing.T, right int) {
	t.Helper()
	if code := j.finish(t); code != 0 || strings.Count(j.out.String(), "right") != right {
		t.Fatalf("exit status %d\n%s", code, j.out.String())
	}
}

// allLeft fails unless each ring says that nothing more is written to it.
func (j *job) allLeft(t *testing.T, n int) {
	t.Helper()
	left := 0
	for _, r := range j.rings {
		if r.Left() {
			left++
		}
	}
	if left != n || len(j.rings) != n {
		t.Errorf("%d of %d rings are left, want %d of as many", left, len(j.rings), n)
	}
}

// Without memory for a record, the probe records nothing more, and says so; the program gets what it would get.
// Each rank has the first call for which there is none in another place.
func TestWithoutMemoryTheProgramGoesOn(t *testing.T) {
	const program = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 3000 };
static int in[N], out[N], indices[2 * N];
static MPI_Request r[2 * N];
static MPI_Status s[2 * N];
static void start(int n)
{
    for (int i = 0; i < n; i++) {
        in[i] = -1;
        out[i] = i;
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &r[i]);
        MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &r[n + i]);
    }
}
static int same(int n)
{
    for (int i = 0; i < n; i++)
        if (in[i] != i)
            return 0;
    return 1;
}
int main(int argc, char **argv)
{
    int rank, count, flag = 0, right = 0;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int (*starve)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "starve");
    starve(1);
    switch (rank) {
    case 0:
        start(1);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Wait(&r[1], &s[0]);
        right = same(1);
        break;
    case 1:
        start(100);
        MPI_Waitall(200, r, MPI_STATUSES_IGNORE);
        right = same(100);
        break;
    case 2:
        start(N);
        MPI_Waitall(2 * N, r, s);
        right = same(N) && s[N - 1].MPI_TAG == N - 1 && s[N - 1].MPI_SOURCE == 0;
        break;
    case 3:
        start(100);
        for (int done = 0; done < 200; done += count)
            MPI_Waitsome(200, r, &count, indices, MPI_STATUSES_IGNORE);
        right = same(100);
        break;
    case 4:
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        start(2);
        for (int i = 0; i < 2; i++) {
            do
                MPI_Testall(2, r + 2 * i, &flag, MPI_STATUSES_IGNORE);
            while (!flag);
        }
        right = same(2);
        break;
    default: // 5 and 6
        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 11 - rank, 3, &other);
        MPI_Comm_remote_size(other, &count);
        right = count == 1;
    }
    if (right && starve(0) > 0)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
`
	onBoth(t, func(t *testing.T, f flavour) {
		for turn, sent := range []uint32{ring.SentNot, ring.SentSome} {
			if !f.hasTurn(turn) {
				continue
			}
			j := f.starved(t, starving(t), sent, 7, f.compile(t, program))
			j.given(t, 7)
			j.allLeft(t, 7)
		}
	})
}

// What a plan wants of a call is not done then, as it takes a copy.
func TestWithoutMemoryAPlanIsNotFollowed(t *testing.T) {
	const program = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, x = 5, y = 0, flag, outcount, indices[2];
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int (*starve)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "starve");
    starve(rank < 6 ? 1 : 2);
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
    switch (rank) {
    case 0:
    case 6:
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        break;
    case 1:
        MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
        MPI_Wait(&r[1], &(MPI_Status){0});
        break;
    case 2:
        y = 5;
        MPI_Sendrecv_replace(&y, 1, MPI_INT, 0, 0, MPI_PROC_NULL, 0, MPI_COMM_SELF, &(MPI_Status){0});
        break;
    case 3:
        MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &y, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &(MPI_Status){0});
        break;
    case 4:
    case 7:
        MPI_Send_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
        MPI_Start(&r[1]);
        MPI_Wait(&r[1], &(MPI_Status){0});
        MPI_Request_free(&r[1]);
        break;
    default:
        MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
        for (int done = 0; done < 2; done += outcount)
            MPI_Waitsome(2, r, &outcount, indices, MPI_STATUSES_IGNORE);
    }
    if (r[0] != MPI_REQUEST_NULL)
        MPI_Wait(&r[0], &(MPI_Status){0});
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_SELF, &flag, &(MPI_Status){0});
    if (y == 5 && !flag && starve(0) > 0)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
`
	p := plan.Plan{Ranks: 8, Outcomes: []plan.Outcome{{Rank: 5, Done: []int32{1, 0}}}}
	for rank := range op.Rank(8) {
		if rank != 5 {
			p.Sends = append(p.Sends, plan.Send{Rank: rank, Buffered: true})
		}
	}
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.starved(t, starving(t), ring.SentNot, 8, "env", ring.EnvPlan+"="+writePlan(t, p), f.compile(t, program))
		j.given(t, 8)
		j.allLeft(t, 8)
	})
}

// Open MPI's Fortran handles are translated, many of them in memory that is allocated: first for the record, then for
// what a plan wants.
func TestWithoutMemoryFortranGoesOn(t *testing.T) {
	const program = `program many
  use mpi
  implicit none
  interface
    function starve(now) bind(c)
      use iso_c_binding
      integer(c_int), value :: now
      integer(c_int) :: starve
    end function
  end interface
  integer :: i, ierr, rank, m, requests(200), indices(200)
  integer :: in(100), out(100)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  i = starve(rank)
  do i = 1, 100
    in(i) = 0
    out(i) = i
    call MPI_Irecv(in(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(i), ierr)
    call MPI_Isend(out(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(100 + i), ierr)
  end do
  if (rank == 0) then
    i = starve(1)
    call MPI_Waitall(200, requests, MPI_STATUSES_IGNORE, ierr)
  else
    m = 0
    do while (m < 200)
      call MPI_Waitsome(200, requests, i, indices, MPI_STATUSES_IGNORE, ierr)
      m = m + i
    end do
  end if
  do i = 1, 100
    if (in(i) /= i) stop 1
  end do
  if (starve(0) > 0) print '(a)', 'right'
  call MPI_Finalize(ierr)
end program
`
	f := flavours[0]
	library, path := starving(t), filepath.Join(t.TempDir(), "program")
	write(t, path+".f90", program)
	if out, err := exec.Command(f.fc, "-o", path, path+".f90", library).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := plan.Plan{Ranks: 5}
	for rank := range op.Rank(4) {
		p.Outcomes = append(p.Outcomes, plan.Outcome{Rank: rank + 1, Done: []int32{0, 1}})
	}
	j := f.starved(t, library, ring.SentNot, 5, "env", ring.EnvPlan+"="+writePlan(t, p), path)
	j.given(t, 5)
	j.allLeft(t, 5)
}

// A Python stack that cannot be kept is left out: the site is the one in C.
func TestWithoutMemoryPythonGoesOn(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.py")
	write(t, script, `import ctypes
from mpi4py import MPI
starve = ctypes.CDLL(None).starve
starve(1)
for i in range(1000):
    exec("\n" * i + "MPI.COMM_WORLD.Get_size()")
refused = starve(0)
MPI.COMM_WORLD.Barrier()
if refused > 0:
    print("right")
`)
	j := flavours[0].starved(t, starving(t), ring.SentNot, 1, "/usr/bin/python3", script)
	j.given(t, 1)
	if barriers := j.of(t, 0, ring.Enter, id("MPI_Barrier")); len(barriers) != 1 ||
		barriers[0].Site&ring.PythonSite == 0 {
		t.Errorf("barriers: %v", barriers)
	}
	for _, size := range j.of(t, 0, ring.Enter, id("MPI_Comm_size")) {
		if size.Site&ring.PythonSite != 0 {
			t.Fatalf("%v has a Python stack that was not told", size)
		}
	}
}

// What MPI or the program's allocator calls while the probe looks at the data of a send is not recorded, and may
// complete something.
func TestAnAllocatorMayCallMPI(t *testing.T) {
	const program = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
void *__libc_malloc(size_t);
static MPI_Request r[3];
static int armed, called;
void *malloc(size_t n)
{
    Dl_info i;
    int flag;
    if (armed && dladdr(__builtin_return_address(0), &i) && strstr(i.dli_fname, "/probe-")) {
        armed = 0;
        called++;
        MPI_Test(&r[2], &flag, MPI_STATUS_IGNORE);
    }
    return __libc_malloc(n);
}
int main(int argc, char **argv)
{
    int in[2], out[2] = {1, 2};
    alarm(120);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &r[i]);
    r[2] = r[0];
    MPI_Isend(&out[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
    armed = 1;
    MPI_Request last;
    MPI_Isend(&out[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &last);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    MPI_Wait(&last, MPI_STATUS_IGNORE);
    if (called == 1 && in[0] == 1 && in[1] == 2)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
`
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launchIn(t, session(t, ring.Options{Ranks: 1, Slots: 512, Sent: ring.SentSome}), 1,
			f.compile(t, program))
		j.given(t, 1)
	})
}

// A function that mpi.h declares and the library does not have is an error of MPI's, for which the program has its
// handler.
func TestAMissingFunctionIsAnErrorOfTheProgram(t *testing.T) {
	absent := func(h *mpiHeader) (map[string][]byte, error) {
		return around(h, map[string][]byte{"few.c": []byte(`#include "process/process.h"
const char *const uk_names[] = {"PMPI_Absent"};
const unsigned uk_nnames = 1, uk_id_init = 2, uk_id_init_thread = 3, uk_id_finalize = 4, uk_id_abort = 5, uk_id_type_commit = 6;
void uk_emit_consts(struct uk_thread *t) { (void)t; }
UK_API int MPI_Absent(void);
int MPI_Absent(void) { return ((int (*)(void))uk_real(0))(); }
`)})
	}
	byTurns(t, 1, func(t *testing.T, f flavour) {
		p, err := build(t.Context(), Options{MPICC: f.mpicc, CacheDir: t.TempDir()}, of("absent", absent))
		if err != nil {
			t.Fatal(err)
		}
		program := f.compile(t, `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int (*absent)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "MPI_Absent");
    if (absent() == MPI_ERR_UNSUPPORTED_OPERATION && absent() == MPI_ERR_UNSUPPORTED_OPERATION)
        printf("right\n");
    MPI_Finalize();
    return 0;
}
`)
		d := start(t, f.mpirun, append(append([]string{}, f.flags...), "-n", "1", "env",
			"LD_PRELOAD="+p.Path, program)...)
		out := d.wait(t)
		if !strings.Contains(out, "right\n") || strings.Count(out, "the MPI library has no MPI_Absent") != 1 {
			t.Errorf("%s", out)
		}
	})
}
