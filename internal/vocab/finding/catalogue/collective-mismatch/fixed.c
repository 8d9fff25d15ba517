/* Every rank calls the same collectives in the same order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
