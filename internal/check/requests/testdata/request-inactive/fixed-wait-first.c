/* Each step waits for the operations of the one before, so the first wait comes before the first start; what is complete is
   tested again and waited for again; of an array only those of the neighbours that a rank has are in use. All that is allowed
   (MPI-4.0, 3.7.3). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, flag, at, n, indices[4], a[2] = {1, 2}, b[2];
    MPI_Request requests[4];

    MPI_Init(&argc, &argv); /* run: -n 3 */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int side = 0; side < 2; side++) {
        int other = side ? rank + 1 : rank - 1;
        if (other < 0 || other >= size)
            other = MPI_PROC_NULL;
        MPI_Recv_init(&b[side], 1, MPI_INT, other, 1 - side, MPI_COMM_WORLD, &requests[side]);
        MPI_Send_init(&a[side], 1, MPI_INT, other, side, MPI_COMM_WORLD, &requests[2 + side]);
    }
    for (int step = 0; step < 3; step++) {
        MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE);
        a[0] = a[1] = step;
        for (int i = 0; i < 4; i++)
            MPI_Start(&requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
        MPI_Testany(2, requests, &at, &flag, MPI_STATUS_IGNORE);
        MPI_Testsome(2, requests, &n, indices, MPI_STATUSES_IGNORE);
        MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
        MPI_Waitsome(2, requests, &n, indices, MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);

    /* Neighbours that are not there: their requests are made, but not started. */
    MPI_Recv_init(&b[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&a[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[1]);
    if (rank == 1)
        MPI_Start(&requests[1]);
    if (rank == 0)
        MPI_Start(&requests[0]);
    MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    MPI_Finalize();
    return 0;
}
