/* run: -n 2 --check=portability */
/* The library duplicates the communicator that it is passed, and communicates on that. */
#include <mpi.h>

static void exchange(MPI_Comm comm, int *value);

int main(int argc, char **argv)
{
    int value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    exchange(MPI_COMM_WORLD, &value);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

#line 40 "/opt/mesh/src/exchange.c"
__attribute__((noinline)) static void exchange(MPI_Comm comm, int *value)
{
    MPI_Comm own;
    int sum;
    MPI_Comm_dup(comm, &own);
    MPI_Allreduce(value, &sum, 1, MPI_INT, MPI_SUM, own);
    MPI_Comm_free(&own);
    *value = sum;
}
