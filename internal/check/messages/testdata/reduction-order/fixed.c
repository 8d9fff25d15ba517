/* run: -n 3 --check=reduction-order */
/* Sums of integers, the greatest of floating-point numbers, sums of two ranks, an operator of the program's own, and one rank's
   accumulates come out the same in any order. */
#include <mpi.h>

static void own(void *in, void *out, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((double *)out)[i] += ((double *)in)[i];
}

int main(int argc, char **argv)
{
    int rank;
    long fixed = 100, total;
    double part = 0.1, most, *counter;
    MPI_Comm two;
    MPI_Op add;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&fixed, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&part, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Op_create(own, 0, &add);
    MPI_Allreduce(&part, &most, 1, MPI_DOUBLE, add, MPI_COMM_WORLD);
    MPI_Op_free(&add);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, 0, &two);
    MPI_Allreduce(&part, &most, 1, MPI_DOUBLE, MPI_SUM, two);
    MPI_Comm_free(&two);

    MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    *counter = 0;
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 1 && i < 3; i++)
        MPI_Accumulate(&part, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
