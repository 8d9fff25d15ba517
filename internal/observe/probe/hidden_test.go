//go:build !quick

package probe

import (
	"testing"

	"unknot/internal/observe/ring"
)

// A library on top of MPI may hide its calls, by their profiling names too, and an end that is not the program's.
func TestHiddenCallsAreNotRecorded(t *testing.T) {
	byTurns(t, 1, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 1, f.compile(t, `#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
int main(int argc, char **argv) {
    int x, flag;
    MPI_Comm mine;
    MPI_Init(&argc, &argv);
    void (*hide)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "unknot_hide");
    MPI_Comm_size(MPI_COMM_WORLD, &x);
    hide(1);
    MPI_Comm_rank(MPI_COMM_WORLD, &x);
    PMPI_Comm_rank(MPI_COMM_WORLD, &x);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, mine, &flag, MPI_STATUS_IGNORE);
    hide(0);
    hide(0);
    MPI_Comm_size(MPI_COMM_WORLD, &x);
    hide(1);
    MPI_Finalize();
    return 0;
}`))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		for name, want := range map[string]int{"MPI_Comm_size": 2, "MPI_Comm_rank": 0, "MPI_Comm_dup": 0,
			"MPI_Iprobe": 0, "MPI_Finalize": 0} {
			if n := len(j.of(t, 0, ring.Enter, id(name))); n != want {
				t.Errorf("%d records of %s, want %d", n, name, want)
			}
		}
	})
}
