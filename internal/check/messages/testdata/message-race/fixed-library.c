/* run: -n 3 */
/* What the line directive says is the source of a library, which takes the parts in any order. */
#include <mpi.h>

static void gather(int rank, int *sum);

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    gather(rank, &sum);
    MPI_Finalize();
    return 0;
}

#line 40 "/opt/mesh/src/gather.c"
__attribute__((noinline)) static void gather(int rank, int *sum)
{
    int part;
    for (int i = 1; i < 3 && rank == 0; i++) {
        MPI_Recv(&part, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        *sum += part;
    }
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
