/* Each number is there before the variable is used again. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0}, got, sum = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int i = 0; i < 4; i++) {
        MPI_Get(&got, 1, MPI_INT, 0, i, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        sum += got;
    }
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
