/* reported: E3SM-Project/scorpio PR 161, ready sends of a rearrangement hang or lose data: the receives are not posted first on all ranks */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, go = 0, data[8] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irsend(data, 8, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* want: ready-send: before rank 1 posts the receive */
        MPI_Send(&go, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
