/* reported: tactcomplabs/circustent 8, an MPI_Get outside of any epoch */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *mine, got = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    *mine = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win); /* want: rma-epoch: MPI_Get */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
/* also: call-failed rank-died */
