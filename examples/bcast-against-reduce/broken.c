/* Wrong: rank 0 broadcasts while rank 1 reduces. Both calls only send, so both return, and the run ends with
 * status 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* rank 0 broadcasts here */
    else
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* rank 1 reduces here */

    MPI_Finalize();
    return 0;
}
