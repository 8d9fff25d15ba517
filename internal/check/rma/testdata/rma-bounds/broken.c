/* The displacement unit of the window is an int, so displacements count ints; here they are bytes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 0, 3 * sizeof(int), 1, MPI_INT, win); /* want: 12: that is bytes 48 to 51 of the window of rank 0, which has 16 bytes */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
