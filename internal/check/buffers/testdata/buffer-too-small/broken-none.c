/* No buffer is attached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Bsend while no buffer is attached */
    else if (rank == 1)
        MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
