/* Wrong: rank 0 collects the results of ranks 1 and 2, but rank 2 waits for a start that rank 0 sends only
 * afterwards. */
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
        for (int done = 0; done < 2; done += count)
            MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE); /* rank 0 waits here */
        MPI_Send(&start, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        if (rank == 2)
            MPI_Recv(&start, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 2 waits here */
        MPI_Send(&start, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
