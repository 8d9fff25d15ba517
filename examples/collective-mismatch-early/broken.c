/* Wrong: ranks 1 and 2 call different collectives, and rank 0 reaches neither, as it waits for a message that rank 1
 * would send afterwards. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, done = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        MPI_Recv(&done, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Barrier(MPI_COMM_WORLD); /* rank 2 waits for all here */
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* rank 1 waits for the value here */
    if (rank == 1)
        MPI_Send(&done, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank != 2)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
