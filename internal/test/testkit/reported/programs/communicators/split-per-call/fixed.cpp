#include <mpi.h>

static double diag(MPI_Comm comm)
{
    int rank;
    double mine = 1, sum = 0;
    MPI_Comm part;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, 0, rank, &part);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, part);
    MPI_Comm_free(&part);
    return sum;
}

int main(int argc, char **argv)
{
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 1500; step++)
        sum += diag(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
