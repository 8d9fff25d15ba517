/* More is put, got or fetched than the other side describes. */
/* also: call-failed rank-died */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[16] = {0}, old[16], *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(numbers, 10, MPI_INT, 1, 0, 5, MPI_INT, win); /* want: MPI_Put, which transfers 10 × MPI_INT from the origin, but the target holds only 5 × MPI_INT */
        MPI_Win_flush(1, win);
        MPI_Get(numbers, 4, MPI_INT, 1, 0, 5, MPI_INT, win); /* want: MPI_Get, which transfers 5 × MPI_INT from the target, but the origin holds only 4 × MPI_INT */
        MPI_Win_flush(1, win);
        MPI_Accumulate(numbers, 3, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win); /* want: MPI_Accumulate, which transfers 3 × MPI_INT from the origin, but the target holds only 2 × MPI_INT */
        MPI_Win_flush(1, win);
        MPI_Get_accumulate(numbers, 4, MPI_INT, old, 3, MPI_INT, 1, 0, 4, MPI_INT, MPI_SUM, win); /* want: MPI_Get_accumulate, which transfers 4 × MPI_INT from the target, but the result holds only 3 × MPI_INT */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
