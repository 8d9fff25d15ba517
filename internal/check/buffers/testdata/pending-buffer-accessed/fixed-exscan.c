/* The result of MPI_Iexscan is read once it is there; rank 0 has none. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out = 1, in = 0, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv); /* by: unknot */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iexscan(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 0)
        sum += in;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        sum += in;
    MPI_Finalize();
    return sum < 0;
}
