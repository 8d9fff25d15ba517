/* Fixed: both use tag 11. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, answer = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &request);
        MPI_Recv(&answer, 1, MPI_INT, 1, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 12, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
