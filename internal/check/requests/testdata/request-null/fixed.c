/* Only the rank that receives waits. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    /* run: --check=request-null */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
