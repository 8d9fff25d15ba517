/* run: -n 3 */
/* The put is complete only at the end of the epoch: the flush before the message was of another rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&rank, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Get, which reads bytes 8 to 11 of the window of rank 1; rank 0 writes them with MPI_Put, and nothing orders them */
        /* note: only rank 2 was flushed by MPI_Win_flush of rank 0 */
        MPI_Win_flush(1, win); /* note: MPI_Win_flush completes only operations on the rank that is passed: pass the target, 1, or call MPI_Win_flush_all */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
