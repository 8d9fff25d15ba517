/* Wrong: rank 0 polls for a barrier that rank 1 never reaches; the array also has a persistent request that was not started. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0, at;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
        while (!flag)
            MPI_Testany(2, requests, &at, &flag, MPI_STATUS_IGNORE); /* rank 0 polls here */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 1 waits here */
    }
    MPI_Finalize();
    return 0;
}
