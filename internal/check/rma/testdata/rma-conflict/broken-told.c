/* run: -n 4 */
/* Word of the put goes by two messages, but it is sent before the put is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&rank, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        MPI_Send(&seen, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);
        MPI_Win_flush(1, win);
    } else if (rank == 3) {
        MPI_Recv(&seen, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&seen, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&seen, 0, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 1, 3, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Get, which reads bytes 12 to 15 of the window of rank 1; rank 0 writes them with MPI_Put, and nothing orders them */
        /* note: a barrier or a message does not complete RMA calls */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
