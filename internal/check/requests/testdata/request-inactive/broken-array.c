/* Only the sends are started, at each step. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag, a[2] = {1, 2}, b[2];
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Send_init(&a[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Recv_init(&b[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &requests[2 + i]);
    }
    for (int step = 0; step < 3; step++) {
        MPI_Startall(2, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); /* want: Rank 0 calls MPI_Waitall with array_of_requests (`requests`)[2] a persistent request that is never started */
    }                                                  /* note: it was created by MPI_Recv_init at main (broken-array.c:13) */
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]); /* only: mpich */
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);              /* want: Rank 0 calls MPI_Test with request (`&requests[0]`) a persistent request that is never started */
    MPI_Finalize();                                                /* also: leak-request */
    return 0;
}
