/* A copy of the handle is waited for once more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b = 0;
    MPI_Request request, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&b, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&a, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    copy = request;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&copy, MPI_STATUS_IGNORE); /* want: MPI_Wait with request (`&copy`) a request that no longer exists */
    /* note: it was completed by MPI_Wait at */
    MPI_Finalize();
    return 0;
}
