/* Rank 0 sends three results, and rank 1 receives them all. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 3; i++)
        MPI_Send(&n, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 3; i++)
        MPI_Recv(&n, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
