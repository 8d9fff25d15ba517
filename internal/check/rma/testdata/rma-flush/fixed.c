/* run: -n 3 */
/* Flushes that complete something, or nothing while nothing is pending elsewhere; those of all neighbours in turn; of itself, to read what others have put; and an operation with a request. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen[3], *base;
    MPI_Win win;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 4; i++)
        base[i] = rank;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_flush(2, win);
        MPI_Get(&seen[0], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Get(&seen[1], 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        for (int i = 2; i >= 0; i--)
            MPI_Win_flush_local(i, win);
        MPI_Get(&seen[2], 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Win_flush_all(win);
        MPI_Rget(&seen[0], 1, MPI_INT, 2, 0, 1, MPI_INT, win, &request);
        MPI_Win_flush(1, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (seen[0] != 2 || seen[1] != 1 || seen[2] != 1)
            return 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        /* The last put is complete when the epoch ends. */
        MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_flush(rank, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
