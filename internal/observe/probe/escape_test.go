//go:build !quick

package probe

import (
	"strings"
	"testing"

	"unknot/internal/observe/ring"
)

// escapes leaves failed calls of rank 0 by its error handler, in C by jumps and in C++ by exceptions: from the same
// place twice, then the next call is made from further inside of the stack. Each is followed by a send, which is to be
// recorded.
const escapes = `
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static int x[4];
#ifdef __cplusplus
static void on_error(MPI_Comm *, int *, ...) { throw 1; }
#define TRY(call) try { call; } catch (int) { escaped++; }
#else
static jmp_buf back;
static void on_error(MPI_Comm *c, int *e, ...) { (void)c, (void)e; longjmp(back, 1); }
#define TRY(call) if (setjmp(back) == 0) { call; } else escaped++
#endif
static volatile int escaped;
static __attribute__((noinline)) void inside(int tag)
{
    volatile char room[5000];
    memset((char *)room, 1, sizeof room);
    MPI_Send(x, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    room[7] = 0;
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Errhandler handler;
        MPI_Comm_create_errhandler(on_error, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        for (volatile int i = 0; i < 2; i++) {
            TRY(MPI_Recv(x, 1, MPI_INT, 1, -5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        MPI_Send(x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        TRY(MPI_Ssend(x, 1, MPI_INT, 77, 1, MPI_COMM_WORLD));
        inside(2);
        TRY(MPI_Bcast(x, -1, MPI_INT, 0, MPI_COMM_WORLD));
        inside(3);
        printf("escaped %d\n", escaped);
    } else {
        for (int i = 1; i <= 3; i++)
            MPI_Recv(x, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
`

// compileCXX makes a program of C++ text.
func (f flavour) compileCXX(t *testing.T, text string) string {
	t.Helper()
	return compileBy(t, strings.Replace(f.mpicc, "mpicc", "mpicxx", 1), ".cc", text)
}

func TestACallThatIsLeftByItsErrorHandlerIsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		for name, compile := range map[string]func(*testing.T, string) string{"jump": f.compile,
			"exception": f.compileCXX} {
			t.Run(name, func(t *testing.T) {
				j := f.launch(t, 512, 2, compile(t, escapes))
				if code := j.finish(t); code != 0 || !strings.Contains(j.out.String(), "escaped 4") {
					t.Fatalf("exit status %d\n%s", code, j.out.String())
				}
				for call, n := range map[string]int{"MPI_Recv": 2, "MPI_Ssend": 1, "MPI_Bcast": 1} {
					enters, exits := j.of(t, 0, ring.Enter, id(call)), j.of(t, 0, ring.Exit, id(call))
					if len(enters) != n || len(exits) != n {
						t.Errorf("%s is entered %d times and left %d times, want %d", call, len(enters), len(exits), n)
						continue
					}
					for i := range exits {
						if exits[i].Site == 0 {
							t.Errorf("%s number %d did not fail", call, i)
						}
					}
				}
				if sends := j.of(t, 0, ring.Enter, id("MPI_Send")); len(sends) != 3 {
					t.Errorf("%d sends are recorded, want 3", len(sends))
				}
				if ends := j.of(t, 0, ring.Enter, id("MPI_Finalize")); len(ends) != 1 {
					t.Errorf("MPI_Finalize is recorded %d times", len(ends))
				}
			})
		}
	})
}
