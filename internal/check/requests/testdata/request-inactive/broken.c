/* The receive is never started. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, b = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&b, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* want: Rank 0 calls MPI_Wait with request (`&request`) a persistent request that is never started; the call does not wait. */
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
