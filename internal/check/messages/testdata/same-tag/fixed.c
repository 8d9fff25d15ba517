/* run: -n 2 --check=same-tag */
/* Sizes, positions and names have tags of their own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3;
    double positions[3] = {1, 2, 3};
    char name[16] = "water";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(positions, n, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
        MPI_Send(name, 16, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(positions, n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(name, 16, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
