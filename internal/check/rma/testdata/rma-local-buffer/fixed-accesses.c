/* What a program may do with buffers of RMA operations, before and after they are complete at the origin. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 32 };

static int rank, other;
static volatile int sink;
static int *memory, got[N], given[N];
static MPI_Win win;

static void fences(void)
{
    for (int i = 0; i < 3; i++) {
        given[0] = i;
        MPI_Win_fence(0, win);
        MPI_Put(given, N / 2, MPI_INT, other, 0, N / 2, MPI_INT, win);
        MPI_Get(got, 4, MPI_INT, other, N / 2, 4, MPI_INT, win);
        sink = given[3];
        given[N / 2] = got[4] = i; /* beside what is used */
        MPI_Win_fence(0, win);
        memset(given, i, sizeof given);
        sink = got[1];
    }
}

static void locks(void)
{
    MPI_Request r;
    MPI_Win_lock_all(0, win);
    MPI_Put(given, 4, MPI_INT, other, 0, 4, MPI_INT, win);
    MPI_Win_flush_local(other, win);
    given[0] = 7;
    MPI_Put(given, 4, MPI_INT, other, 4, 4, MPI_INT, win);
    MPI_Win_flush(other, win);
    given[0] = 8;
    MPI_Rget(got, 4, MPI_INT, other, 0, 4, MPI_INT, win, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    got[2]++;
    MPI_Rput(given, 4, MPI_INT, other, 8, 4, MPI_INT, win, &r);
    for (int done = 0; !done; MPI_Test(&r, &done, MPI_STATUS_IGNORE))
        sink = given[1];
    given[1] = 2;
    MPI_Get_accumulate(given, 8, MPI_INT, got, 8, MPI_INT, other, 16, 8, MPI_INT, MPI_NO_OP, win);
    given[5] = 3; /* MPI_NO_OP reads nothing there */
    MPI_Win_flush_all(win);
    sink = got[5];
    MPI_Put(given, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win);
    given[0] = 0;
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    fences();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        locks();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
