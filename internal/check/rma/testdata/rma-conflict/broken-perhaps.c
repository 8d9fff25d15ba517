/* only: mpich */
/* Both ranks put to one place under shared locks; rank 0 could have waited for the value that rank 1 puts, but does not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 0; rank 0 writes them with MPI_Put, and no MPI call orders them */
    /* note: they can be ordered only if one rank waits for a value in memory that other ranks write */
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
