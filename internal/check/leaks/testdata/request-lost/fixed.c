/* A request for each receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[8] = {0}, b[8];
    MPI_Request requests[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++)
        MPI_Irecv(&b[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 8; i++)
        MPI_Send(&a[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
