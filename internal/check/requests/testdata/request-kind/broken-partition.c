/* Partitions go from 0 to 3. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[4] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    /* only: mpich */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(a, 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        for (int i = 1; i <= 4; i++)
            MPI_Pready(i, request); /* want: MPI_Pready with partition (`i`) 4, but the request has 4 partitions (0 to 3) */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
