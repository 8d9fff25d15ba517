/* run: -n 3 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, missing, any;
    double sum = 0, mine = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *config = rank == 1 ? fopen("/nonexistent/config", "r") : stdin;
    missing = config == NULL;
    MPI_Allreduce(&missing, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (!any)
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
