/* Fixed: MPI_Sendrecv sends and receives at once, whatever the size. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Sendrecv(&mine, 1, MPI_INT, other, 0, &theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
