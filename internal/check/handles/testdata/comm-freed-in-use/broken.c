/* The communicator is freed before the request is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b;
    MPI_Comm mine;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Irecv(&b, 1, MPI_INT, 1 - rank, 0, mine, &request);
    MPI_Send(&a, 1, MPI_INT, 1 - rank, 0, mine);
    MPI_Comm_free(&mine); /* want: while 1 request on it is not complete */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
