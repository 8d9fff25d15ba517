/* Rank 1 has room for half of what rank 0 sends. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends 10 × MPI_INT to rank 1, whose receive has room for 5 × MPI_INT */
    else if (rank == 1)
        MPI_Recv(data, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: room for 5 */
    MPI_Finalize();
    return 0;
}
