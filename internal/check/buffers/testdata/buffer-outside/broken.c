/* The count is in bytes, as if MPI_INT were one. */
#include <mpi.h>

int values[4], other[64];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(values + 1, sizeof values, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Send with buf (`values + 1`) in the variable `values` of 16 bytes from byte 4 on; the data extends 52 bytes beyond its end */
    else                                                                    /* note: the data is 16 × MPI_INT, spanning 64 bytes */
        MPI_Recv(other, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
