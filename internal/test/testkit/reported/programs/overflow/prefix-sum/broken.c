/* reported: KarypisLab/ParMETIS PR 6 and mpi-advance/locality_aware PR 3, the prefix sum of counts overflows an int */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, counts[4], displs[4];
    unsigned at = 0;
    double *all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = calloc(64, sizeof *all);
    for (int i = 0; i < size; i++) {
        counts[i] = 4;
        displs[i] = (int)at;
        at += 2200000000u;
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD); /* want: buffer-outside: element 1 */
    free(all);
    MPI_Finalize();
    return 0;
}
/* also: rank-died */
