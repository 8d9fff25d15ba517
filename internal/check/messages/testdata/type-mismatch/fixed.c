/* Both sides say MPI_DOUBLE. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mass[4] = {1, 2, 3, 4};
    double received[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(mass, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(received, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
