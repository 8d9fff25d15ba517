/* The result is needed on all ranks, but only the root has room for it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, mine;
    int *sum = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    if (rank == 0)
        sum = malloc(sizeof *sum);
    MPI_Allreduce(&mine, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* want: Rank 1 calls MPI_Allreduce with recvbuf (`sum`) NULL, but count is 1 */
    free(sum);
    MPI_Finalize();
    return 0;
}
