/* The count is in elements. */
#include <mpi.h>

int values[4], other[64];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(values + 1, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(other, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
