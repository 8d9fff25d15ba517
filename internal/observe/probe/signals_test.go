//go:build !quick

package probe

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
)

// chains passes a signal on to the handler that stood before its own, by both ways to install one, and puts the old
// ones back. Then a signal of default action ends it.
const chains = `
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
static void (*old)(int);
static struct sigaction before;
static void mine(int sig)
{
    if (sig == SIGXCPU && old != SIG_DFL && old != SIG_IGN)
        old(sig);
    if (sig == SIGUSR2 && before.sa_handler != SIG_DFL)
        before.sa_handler(sig);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct sigaction a = {.sa_handler = mine}, now;
    old = signal(SIGXCPU, mine);
    sigaction(SIGUSR2, &a, &before);
    raise(SIGXCPU);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &now);
    printf("old %d before %d now %d\n", old == SIG_DFL, before.sa_handler == SIG_DFL, now.sa_handler == mine);
    int again = signal(SIGXCPU, old) == mine;
    sigaction(SIGUSR2, &before, NULL);
    sigaction(SIGUSR2, NULL, &now);
    printf("again %d shown %d\n", again, now.sa_handler == SIG_DFL);
    fflush(stdout);
    raise(SIGUSR2);
    return 0;
}
`

func TestAProgramChainsToTheSignalHandlersOfItsOwn(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 1, f.compile(t, chains))
		j.finish(t)
		out := j.out.String()
		if !strings.Contains(out, "old 1 before 1 now 1") || !strings.Contains(out, "again 1 shown 1") {
			t.Fatalf("the program says\n%s", out)
		}
		if d, ok := j.first(t, 0).Death(); !ok || d.Cause != ring.DeathSignal || d.Code != 12 {
			t.Errorf("death %+v, want signal 12", d)
		}
	})
}

// The mpi module of Open MPI has entry points of their own for a type(c_ptr).
func TestWindowsOfFortranPointersAreTold(t *testing.T) {
	const text = `program windows
  use, intrinsic :: iso_c_binding
  use mpi
  integer :: ierr, win
  type(c_ptr) :: p
  integer(kind=MPI_ADDRESS_KIND) :: n = 64
  call MPI_Init(ierr)
  call MPI_Win_allocate(n, 4, MPI_INFO_NULL, MPI_COMM_WORLD, p, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Win_allocate_shared(n, 4, MPI_INFO_NULL, MPI_COMM_WORLD, p, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program
`
	onBoth(t, func(t *testing.T, f flavour) {
		program := filepath.Join(t.TempDir(), "program")
		write(t, program+".f90", text)
		if out, err := exec.Command(f.fc, "-g", "-o", program, program+".f90").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		j := f.launch(t, 512, 2, program)
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		for _, call := range []string{"MPI_Win_allocate", "MPI_Win_allocate_shared"} {
			if calls := j.of(t, 0, ring.Enter, id(call)); len(calls) != 1 {
				t.Errorf("%s is recorded %d times", call, len(calls))
			}
		}
		if windows := j.data(t, 0, ring.DataWin); len(windows) != 2 {
			t.Errorf("%d windows are told, want 2", len(windows))
		}
	})
}
