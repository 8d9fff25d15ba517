/* Ranks call MPI_Win_sync around a barrier before they load from shared memory, but not after it, before it is stored to again; and not before the first loads. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank;
static volatile int sink;

static int *first_part(MPI_Win win)
{
    MPI_Aint size;
    int unit, *base;
    MPI_Win_shared_query(win, 0, &size, &unit, &base);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    return base;
}

static void too_soon(void)
{
    int *own;
    MPI_Win win;
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win); /* want: access bytes 8 to 11 of the shared memory of rank 0: rank 0 writes to them, rank 1 reads them, and no MPI call orders them */
    int *first = first_part(win);
    if (rank == 0)
        first[2] = 1; /* note: it is written to at too_soon (broken-plain-synced.c:27) */
    else
        sink = first[2]; /* note: it is read at too_soon (broken-plain-synced.c:29) */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void again(void)
{
    int *own;
    MPI_Win win;
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win); /* want: access bytes 12 to 15 of the shared memory of rank 0: rank 0 writes to them, rank 1 reads them, and no MPI call orders them */
    int *first = first_part(win);
    if (rank == 0)
        first[3] = 1;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 1)
        sink = first[3]; /* note: it is read at again (broken-plain-synced.c:46) */
    else
        first[3] = 2; /* note: it is written to at again (broken-plain-synced.c:48) */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    too_soon();
    again();
    MPI_Finalize();
    return 0;
}
