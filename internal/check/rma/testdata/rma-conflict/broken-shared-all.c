/* only: mpich */
/* run: -n 3 */
/* The owner of the window is among those that put; what ranks 1 and 2 do is wrong in any case. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
            MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes 4 to 7 of the window of rank 0; rank 1 writes them with MPI_Put, and nothing orders them */
            MPI_Win_unlock(0, win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
