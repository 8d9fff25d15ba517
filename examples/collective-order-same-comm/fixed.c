/* Fixed: all ranks call the same collectives in the same order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
