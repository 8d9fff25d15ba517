/* Variables that are sent as another type than they are declared with. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, small = 0;
    long total = 1;
    double field[8] = {0};
    float single[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&total, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: `total` is long (8 bytes), MPI_INT is int (4 bytes) */
    MPI_Bcast(&small, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(field, 8, MPI_FLOAT, 1, 0, MPI_COMM_WORLD); /* want: `field` is double (8 bytes), MPI_FLOAT is float (4 bytes) */
    else if (rank == 1)
        MPI_Recv(single, 8, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
