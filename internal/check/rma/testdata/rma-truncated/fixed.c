/* The data fits, exactly or with room to spare. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[16] = {0}, old[16], *base;
    MPI_Win win;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(numbers, 5, MPI_INT, 1, 0, 5, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Rget(numbers, 5, MPI_INT, 1, 0, 5, MPI_INT, win, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Accumulate(numbers, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(1, win);
        MPI_Get_accumulate(numbers, 4, MPI_INT, old, 4, MPI_INT, 1, 0, 4, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
