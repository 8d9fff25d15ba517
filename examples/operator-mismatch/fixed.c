/* Fixed: one operator for all. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, result = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
