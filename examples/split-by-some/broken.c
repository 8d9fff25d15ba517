/* Wrong: rank 2 wants no part in the new communicator and does not call MPI_Comm_split, which all ranks must
 * call. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Comm workers;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank != 2) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &workers); /* ranks 0 and 1 wait here */
        MPI_Comm_free(&workers);
    }
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 2 waits here */

    MPI_Finalize();
    return 0;
}
