/* reported: Nek5000/parRSB PR 44, an iteration that converges on some ranks only leaves its loop there */
/* run: -n 4 */
#include <mpi.h>
#include <stdio.h>

static double residual(int rank, int step) { return 1.0 / (step + 1 + rank); }

int main(int argc, char **argv)
{
    int rank, size;
    double all = 0, mine, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 40; step++) {
        mine = residual(rank, step);
        if (mine < 0.1)
            break;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* want: collective-mismatch: MPI_Barrier */
        sum += all;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
