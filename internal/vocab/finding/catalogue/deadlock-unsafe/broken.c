/* Ends only if MPI can buffer both messages. With a larger count it hangs. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mine[100] = {0}, theirs[100];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(mine, 100, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(theirs, 100, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
