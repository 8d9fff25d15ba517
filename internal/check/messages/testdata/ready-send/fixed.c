/* run: -n 3
   Ready sends whose receives are posted first: the sender is told by a message, or all meet at a barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, step, go = 0, data[4] = {0}, more[4] = {0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (step = 0; step < 3; step++) {
        if (rank == 0) { /* two ready sends, and a message between them */
            MPI_Recv(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Irsend(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
            MPI_Recv(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Rsend(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Irecv(data, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Send(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Irecv(more, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
            MPI_Send(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }

        if (rank == 0)
            MPI_Irecv(data, 4, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Rsend(data, 4, MPI_INT, 0, 3, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

        /* A standard send that follows a ready one; the barrier leads to its receive, which may be posted later. */
        if (rank == 1)
            MPI_Isend(data, 4, MPI_INT, 2, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 2)
            MPI_Recv(data, 4, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

        /* A broadcast, at which its root waits for nobody, leads to no receive of its root's. */
        if (rank == 1)
            MPI_Irecv(data, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Bcast(&go, 1, MPI_INT, 1, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Rsend(more, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
