/* The receive is posted before the send, so no buffer is needed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mine[100] = {0}, theirs[100];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(theirs, 100, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(mine, 100, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
