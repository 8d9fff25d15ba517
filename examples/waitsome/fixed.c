/* Fixed: rank 0 sends the start before it collects. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, count, start = 3, result[2], indices[2];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Irecv(&result[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&result[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(&start, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        for (int done = 0; done < 2; done += count)
            MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    } else {
        if (rank == 2)
            MPI_Recv(&start, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&start, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
