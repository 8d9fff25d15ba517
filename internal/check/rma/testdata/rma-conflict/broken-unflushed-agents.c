/* only: mpich */
/* run: --ranks-per-agent=1 */
/* The barrier does not complete the put; only MPI_Win_flush before it would. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Get, which reads bytes 12 to 15 of the window of rank 0; rank 0 writes them with MPI_Put, and nothing orders them */
    /* note: a barrier or a message does not complete RMA calls */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
