/* also: rank-died */
/* Rank 0 asks any worker for a result of two numbers, and each of them sends three. MPI ends the receiver. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, i;
    double result[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        for (i = 1; i < size; i++)
            MPI_Recv(result, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: room for 2 */
    else
        MPI_Send(result, 3, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD); /* want: sends 3 × MPI_DOUBLE to rank 0, whose receive has room for 2 × MPI_DOUBLE */
    MPI_Finalize();
    return 0;
}
