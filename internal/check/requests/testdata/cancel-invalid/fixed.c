/* Only a receive that was started is cancelled. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int b = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
