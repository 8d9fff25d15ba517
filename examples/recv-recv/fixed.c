/* Fixed: rank 0 sends first and rank 1 receives first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    if (rank == 0) {
        MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
