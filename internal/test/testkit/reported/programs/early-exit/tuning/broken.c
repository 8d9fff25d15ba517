/* reported: scafacos/scafacos PR 36, rank 0 returns an error code, the others wait in a broadcast */
/* run: -n 3 */
#include <mpi.h>

static int tune(int rank, double tolerance, double *alpha)
{
    if (rank == 0) {
        if (tolerance <= 0)
            return 1;
        *alpha = 1 / tolerance;
    }
    MPI_Bcast(alpha, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* want: collective-mismatch: MPI_Barrier */
    return 0;
}

int main(int argc, char **argv)
{
    int rank;
    double alpha = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tune(rank, -1, &alpha);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
