/* The masses are doubles where they are sent, and floats where they are received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mass[4] = {1, 2, 3, 4};
    float received[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(mass, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends MPI_DOUBLE where rank 1 expects MPI_FLOAT, at element 1 of the data */
    else if (rank == 1)
        MPI_Recv(received, 8, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 sends MPI_DOUBLE */
    MPI_Finalize();
    return 0;
}
