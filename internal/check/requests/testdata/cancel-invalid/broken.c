/* The receive is cancelled though it is not active. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int b = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request); /* want: MPI_Cancel with request (`&request`) a persistent request that is not active */
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
