/* Fixed: rank 0 answers the first message before it waits for the second. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[2] = {0, 0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Irecv(&in[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Send(&in[0], 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&in[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&in[1], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&in[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
