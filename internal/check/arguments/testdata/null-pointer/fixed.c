/* With MPI_Reduce only the root needs room. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, mine;
    int *sum = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    if (rank == 0)
        sum = malloc(sizeof *sum);
    MPI_Reduce(&mine, sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    free(sum);
    MPI_Finalize();
    return 0;
}
