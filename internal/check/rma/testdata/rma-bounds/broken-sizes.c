/* run: -n 3 --ranks-per-agent=1 */
/* Each rank has a window of another size, and all are taken to be as large as the own one. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, rank * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&value[2], 2, MPI_INT, 1, 0, 2, MPI_INT, win); /* want: bytes 0 to 7 of the window of rank 1, which has 4 bytes */
        MPI_Get(&value[1], 1, MPI_INT, 1, -1, 1, MPI_INT, win); /* want: -1; a displacement is relative to the start */
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
