/* The tag counts up from 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0, step = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&n, 1, MPI_INT, 1, step + 7, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(&n, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
