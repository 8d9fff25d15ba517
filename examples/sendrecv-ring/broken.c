/* Wrong: every rank sends to the right and also receives from the right, where nobody sends to it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, right, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    mine = rank;

    MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &theirs, 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* every rank waits here */

    MPI_Finalize();
    return 0;
}
