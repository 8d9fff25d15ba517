/* Each partition is handed over once after each start. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag, a[4] = {0};
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
        MPI_Pready_range(0, 3, request);
    else
        MPI_Parrived(request, 2, &flag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            MPI_Pready(i, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
