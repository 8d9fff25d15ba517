/* By the words of the standard, a lock between two fences is within their epoch; libraries do not mind. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int value;
    int other;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* want: MPI_Win_lock, and RMA calls under the lock, between two calls to MPI_Win_fence; these may count as part of a fence epoch */
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Win_fence(0, win); /* note: the second was made by MPI_Win_fence at main (broken-fences.c:16) */
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
