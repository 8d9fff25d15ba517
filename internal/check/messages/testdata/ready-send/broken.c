/* run: -n 3
   Ready sends whose receivers wait for a message or a barrier that follows them before they post the receives. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, go = 0, data[4] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) { /* a message to the receiver */
        MPI_Irsend(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &request); /* want: Rank 0 starts a ready send by MPI_Irsend before rank 1 posts the receive */
        MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: rank 1 calls MPI_Recv after a message or a collective */
    }

    if (rank == 2) /* a barrier */
        MPI_Irsend(data, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, &request); /* want: Rank 2 starts a ready send by MPI_Irsend before rank 0 */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);

    if (rank == 0) { /* messages over a third rank, which probes, and a persistent send */
        MPI_Rsend_init(data, 4, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Start(&request); /* want: by MPI_Start before rank 1 */
        MPI_Send(&go, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else if (rank == 2) {
        MPI_Probe(0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&go, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
        MPI_Recv(&go, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(data, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
