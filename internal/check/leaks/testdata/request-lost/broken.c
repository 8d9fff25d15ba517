/* One variable for all requests: only the last is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[8] = {0}, b[8];
    MPI_Request requests[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++)
        MPI_Irecv(&b[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[0]); /* want: MPI_Finalize with 7 requests of this MPI_Irecv not complete, though a later one was completed */
    for (int i = 0; i < 8; i++)
        MPI_Send(&a[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
