/* run: -n 2
   Displacements from the middle of a buffer, as of a field with a boundary, are negative. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { N = 1 << 20 };
    int rank, counts[2] = {4, 4}, displs[2] = {-N / 2, 8};
    double *all = calloc(N, sizeof *all), mine[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all + N / 2, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(mine, 4, MPI_DOUBLE, all + N / 2, counts, displs, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    free(all);
    return 0;
}
