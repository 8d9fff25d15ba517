/* A put and a get of the same place in one epoch are not ordered. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0}, got = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Get, which reads bytes 4 to 7 of the window of rank 0; in the same epoch it also writes them with MPI_Put */
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
