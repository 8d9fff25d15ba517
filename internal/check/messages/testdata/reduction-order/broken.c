/* run: -n 3 --check=reduction-order */
/* The ranks add up floating-point numbers and compare the sum with the one of the last run, bit for bit. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double part = 0.1, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* want: Rank 0 makes 4 reductions on floating-point numbers, the first by MPI_Allreduce with MPI_SUM, at 2 call sites */
    MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 0.3;
}
