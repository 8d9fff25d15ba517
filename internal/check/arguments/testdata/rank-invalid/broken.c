/* Each rank sends to its right neighbour, which the last one does not have. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = rank + 1, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: dest (`right`) 2, but MPI_COMM_WORLD has 2 ranks (0 to 1) */
    MPI_Finalize();
    return 0;
}
