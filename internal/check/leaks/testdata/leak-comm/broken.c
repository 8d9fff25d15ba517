/* A communicator is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* want: MPI_Finalize with 1 communicator of this MPI_Comm_dup not freed */
    MPI_Barrier(mine);
    MPI_Finalize();
    return 0;
}
