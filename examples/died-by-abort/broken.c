/* Wrong: rank 1 gives up with MPI_Abort where it should send to rank 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Abort(MPI_COMM_WORLD, 5); /* the last call of rank 1 */

    MPI_Finalize();
    return 0;
}
