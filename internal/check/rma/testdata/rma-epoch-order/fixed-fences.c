/* Locks after fences: the assertions say that no epoch is meant, no fence comes after, or nothing is transferred. */
#include <mpi.h>

static int value;
static MPI_Win win;

static void get(void)
{
    int other;

    MPI_Win_lock_all(0, win);
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    int other;

    MPI_Init(&argc, &argv);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get(&other, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    get();
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_fence(0, win);
    get();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
