/* Those that are complete stay in the array, where MPI_Waitany passes over them. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0, at, a[2] = {1, 2}, b[2];
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&b[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send_init(&a[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[2 + i]);
    }
    for (int step = 0; step < 3; step++) {
        MPI_Startall(4, requests);
        do {
            MPI_Waitany(4, requests, &at, MPI_STATUS_IGNORE);
            n += at != MPI_UNDEFINED;
        } while (at != MPI_UNDEFINED);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    MPI_Finalize();
    return 0;
}
