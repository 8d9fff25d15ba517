/* Calls that end what was not begun, and begin what is open. Each window is judged up to its first mistake. */
/* also: call-failed rank-died */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[8] = {0};
    MPI_Win win[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++) {
        MPI_Win_create(&value[i], sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);
        MPI_Win_set_errhandler(win[i], MPI_ERRORS_RETURN);
    }
    MPI_Win_unlock(0, win[0]); /* want: with rank 0, which it has not locked */
    MPI_Win_flush(0, win[1]); /* want: with rank 0, which it has not locked */
    MPI_Win_complete(win[2]); /* want: without MPI_Win_start */
    MPI_Win_fence(0, win[4]);
    MPI_Put(&rank, 1, MPI_INT, rank, 0, 1, MPI_INT, win[4]);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[4]); /* want: in an MPI_Win_fence epoch that has not ended */
    MPI_Win_lock_all(0, win[5]);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[5]); /* want: while it holds a lock of all ranks */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[6]);
    MPI_Win_fence(0, win[6]); /* want: while it holds a lock of rank 0 */
    MPI_Win_unlock_all(win[7]); /* want: without MPI_Win_lock_all */
    MPI_Abort(MPI_COMM_WORLD, 0);
    MPI_Finalize();
    return 0;
}
