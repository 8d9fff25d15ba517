/* Fixed: rank 0 sends first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Request unneeded;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &unneeded);
        MPI_Cancel(&unneeded);
        MPI_Wait(&unneeded, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
