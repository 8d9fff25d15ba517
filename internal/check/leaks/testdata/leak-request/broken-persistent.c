/* The persistent request is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int b = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Recv_init(&b, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* want: MPI_Finalize with 1 persistent request of this MPI_Recv_init not freed */
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
