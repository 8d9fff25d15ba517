/* run: -n 2 --check=same-tag */
/* Sizes, positions and names are sent with one tag: a receive that is moved takes what it was not meant for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3;
    double positions[3] = {1, 2, 3};
    char name[16] = "water";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends rank 1 messages of 3 datatypes at 3 call sites, all with tag 0: only their order distinguishes them */
        MPI_Send(positions, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(name, 16, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(positions, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(name, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
