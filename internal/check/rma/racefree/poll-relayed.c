/* ranks: 3 */
#include <mpi.h>
#include <stdlib.h>
/* The owner that has seen a put in its memory lets the reader know by an accumulate. */
int main(int argc, char **argv)
{
    int rank, *mem, one = 1, seen = 0, zero = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 8; i++) mem[i] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&seen, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        do {
            MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        } while (!seen);
        MPI_Accumulate(&one, 1, MPI_INT, 2, 4, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(2, win);
    } else {
        MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        do {
            MPI_Fetch_and_op(&zero, &seen, MPI_INT, 2, 4, MPI_NO_OP, win);
            MPI_Win_flush(2, win);
        } while (!seen);
        seen = 0;
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        if (seen != 1) abort();
        MPI_Send(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
