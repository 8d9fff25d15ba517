/* Rank 1 sends, puts and receives from its window while rank 0 puts there. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[8] = {0}, got;
    MPI_Request r;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); /* want: Rank 1 calls MPI_Isend with buf (`&value[1]`), which reads bytes 4 to 7 of its own window; in the same epoch rank 0 writes them with MPI_Put */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    else
        MPI_Put(&value[2], 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put with origin_addr (`&value[2]`), which reads bytes 8 to 11 of its own window; in the same epoch rank 0 writes them with MPI_Put */
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(&got, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value[4], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 1 calls MPI_Recv with buf (`&value[4]`), which writes bytes 16 to 19 of its own window; in the same epoch rank 0 reads them with MPI_Get */
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
