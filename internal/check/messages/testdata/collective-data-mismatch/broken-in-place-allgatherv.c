/* run: -n 3 */
/* also: rank-died call-failed message-truncated */
/* Rank 2 gives two numbers, which rank 0 does not know. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[6] = {0}, counts[3] = {1, 1, 1}, displs[3] = {0, 2, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        counts[2] = 2;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, MPI_COMM_WORLD); /* want: In MPI_Allgatherv rank 2 sends rank 0 2 × MPI_INT, but rank 0 expects 1 × MPI_INT from it */
    MPI_Finalize();
    return 0;
}
