/* run: -n 3 */
#include <mpi.h>

static int tune(int rank, double tolerance, double *alpha)
{
    int failed = rank == 0 && tolerance <= 0;

    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (failed)
        return 1;
    if (rank == 0)
        *alpha = 1 / tolerance;
    MPI_Bcast(alpha, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
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
