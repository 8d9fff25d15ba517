/* All bytes of an array are sent, and received as its few numbers: more elements, but not more bytes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double data[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, sizeof data, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(data, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 sends MPI_BYTE where rank 1 expects MPI_DOUBLE */
    MPI_Finalize();
    return 0;
}
