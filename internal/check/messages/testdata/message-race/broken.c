/* run: -n 3 */
/* Rank 0 takes what comes first for the result of rank 1. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Which message rank 0 gets by this MPI_Recv from MPI_ANY_SOURCE differs from run to run: ranks 1 and 2 send a matching one, unordered */
        /* note: sent by ranks 1 and 2: MPI_Send at main (broken.c:16) */
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
