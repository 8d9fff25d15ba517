/* After the lock the fence covers nothing more. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int value;
    int other;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* want: after its last MPI_Win_fence it started and ended an epoch of another kind */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
