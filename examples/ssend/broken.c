/* Wrong: a synchronous send ends only when its receive has begun, and both ranks send first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Ssend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* both ranks wait here */
    MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
