/* Wrong: rank 0 adds while rank 1 takes the maximum: the ranks end with different results. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, result = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* rank 0 adds here */
    else
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* rank 1 takes the maximum here */

    MPI_Finalize();
    return 0;
}
