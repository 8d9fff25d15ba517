/* run: -n 2
   also: rank-died
   The displacement of the second rank's block is an int that has overflowed. There is no other that shows what was meant. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, counts[2] = {4, 4}, displs[2] = {0, (int)2200000000u};
    double *all = calloc(64, sizeof *all), mine[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* want: with displs in which element 1 is -2094967296: an int has overflowed, as 2200000000 does not fit */
    MPI_Finalize();
    free(all);
    return 0;
}
