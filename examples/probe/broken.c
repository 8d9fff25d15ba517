/* Wrong: both ranks ask for the size of the other's message before they have sent their own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, count, mine, theirs = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Probe(other, 0, MPI_COMM_WORLD, &status); /* both ranks wait here */
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, count, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
