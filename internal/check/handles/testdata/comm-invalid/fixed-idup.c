/* The communicator is used once one of the calls that tell so has said that it was created. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, done = 0;
    MPI_Comm copies[3];
    MPI_Request requests[3];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_size(copies[0], &size);
    while (!done)
        MPI_Request_get_status(requests[1], &done, MPI_STATUS_IGNORE);
    MPI_Comm_size(copies[1], &size);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(copies[i]);
        MPI_Comm_free(&copies[i]);
    }
    MPI_Finalize();
    return 0;
}
