/* run: -n 2 --check=portability */
/* What the line directive says is the source of a library. */
#include <mpi.h>

static void exchange(int *value);

int main(int argc, char **argv)
{
    int value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    exchange(&value); /* want: exchange.c calls MPI_Allreduce on MPI_COMM_WORLD in rank 0 */
    MPI_Finalize();
    return 0;
}

#line 40 "/opt/mesh/src/exchange.c"
__attribute__((noinline)) static void exchange(int *value)
{
    int sum;
    MPI_Allreduce(value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    *value = sum;
}
