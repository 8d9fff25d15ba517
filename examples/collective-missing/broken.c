/* Wrong: rank 2 has no work and leaves early, without the barrier that the others call. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank != 2)
        MPI_Barrier(MPI_COMM_WORLD); /* ranks 0 and 1 wait here */

    MPI_Finalize();
    return 0;
}
