/* A communicator is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Barrier(mine);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
