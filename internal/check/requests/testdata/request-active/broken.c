/* The receive is started again before it is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&b, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < 2; step++) {
        MPI_Start(&request); /* want: MPI_Start with request (`&request`) an active request */
        MPI_Send(&a, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
