/* Fixed: the master hands out the work before it waits for results. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, index, work = 3, result[2];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Irecv(&result[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&result[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(&work, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&work, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(&work, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&work, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
