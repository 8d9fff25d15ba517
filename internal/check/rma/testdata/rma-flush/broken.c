/* run: -n 3 */
/* What was got is read after a flush of another rank, which shows only where the program's own accesses are seen; and a put is to be seen by its owner after such a flush. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 4; i++)
        base[i] = rank;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win); /* want: Rank 0 calls MPI_Win_flush with rank 2, where it has nothing to complete; its MPI_Get with target_rank 1 remains pending until the epoch ends */
        /* note: that operation was started by MPI_Get */
        /* note: pass the target, 1, or call MPI_Win_flush_all */
        if (seen < 0)
            return 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win); /* want: Rank 1 calls MPI_Win_flush_local with rank 0, where it has nothing to complete; its MPI_Put with target_rank 2 remains pending until the epoch ends */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
