/* The sender gives its message up. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1, b;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request); /* want: MPI_Cancel with request (`&request`) a send */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    (void)b;
    /* also: message-lost deadlock-unsafe */
    MPI_Finalize();
    return 0;
}
