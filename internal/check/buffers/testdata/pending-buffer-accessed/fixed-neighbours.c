/* Only what comes from no neighbour is read before the end. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out[2] = {1, 2}, in[2] = {0, 0}, sum = 0, no = 0;
    MPI_Comm line;
    MPI_Request request;
    MPI_Init(&argc, &argv); /* by: unknot */
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line, &request);
    if (rank == 0)
        sum += in[0];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += in[0];
    MPI_Comm_free(&line);
    MPI_Finalize();
    return sum < 0;
}
