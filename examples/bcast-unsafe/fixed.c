/* Fixed: rank 0 receives before the broadcast, too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, input = 7, ready = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        MPI_Recv(&ready, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&ready, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Bcast(&input, 1, MPI_INT, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
