/* Wrong: rank 0 waits for two messages at once, but rank 1 sends the second only after rank 0's answer. */
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
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* rank 0 waits here */
        MPI_Send(&in[0], 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Send(&in[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&in[1], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 1 waits here */
        MPI_Send(&in[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
