/* Both ranks send before they wait. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine, theirs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
