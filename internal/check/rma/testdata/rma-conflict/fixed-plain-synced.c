/* Ranks call MPI_Win_sync around a barrier whenever shared memory changes hands; or one waits for a value that the other stores. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank;
static volatile int sink;

static void by_barriers(int *first, MPI_Win win)
{
    for (int step = 0; step < 3; step++) {
        if (rank == step % 2)
            first[3] = step;
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        sink = first[3];
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
    }
}

static void by_value(int *first, MPI_Win win)
{
    volatile int *flag = &first[0];
    if (rank == 0) {
        first[5] = 9;
        MPI_Win_sync(win);
        *flag = 1;
    } else {
        while (*flag == 0)
            MPI_Win_sync(win);
        MPI_Win_sync(win);
        sink = first[5];
    }
}

int main(int argc, char **argv)
{
    MPI_Aint size;
    MPI_Win win;
    int unit, *own, *first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        first[0] = 0;
    by_barriers(first, win);
    by_value(first, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
