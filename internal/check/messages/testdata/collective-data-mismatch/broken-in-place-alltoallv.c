/* run: -n 3 */
/* also: rank-died call-failed message-truncated */
/* All exchange in place, one number with each other rank; rank 1 expects two of rank 2. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[6] = {0}, counts[3] = {1, 1, 1}, displs[3] = {0, 2, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        counts[2] = 2;
    MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_DATATYPE_NULL, data, counts, displs, MPI_INT, MPI_COMM_WORLD); /* want: In MPI_Alltoallv rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 1 × MPI_INT from it */
    MPI_Finalize();
    return 0;
}
