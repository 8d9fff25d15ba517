/* What is needed after MPI_Finalize is asked for before. MPI_Finalized may be called at any time. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, finished;

    MPI_Initialized(&finished);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Finalize();
    MPI_Finalized(&finished);
    printf("%d ranks are done\n", size);
    return 0;
}
