/* reported: open-mpi/ompi 1669, openucx/ucx PR 8594: all ranks send 80,000 bytes before they receive */
/* run: -n 3 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 20000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *mine = calloc(n, sizeof *mine), *theirs = calloc(n, sizeof *theirs);
    MPI_Send(mine, n, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD); /* want: deadlock: before */
    /* hint: MPI_Sendrecv */
    MPI_Recv(theirs, n, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
