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
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (all < 0.1)
            break;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
