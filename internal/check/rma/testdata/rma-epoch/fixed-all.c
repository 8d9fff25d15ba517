/* All kinds of synchronisation, one after the other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value[4] = {0}, other = 0, flag = 0, *base;
    MPI_Win win;
    MPI_Group world;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int peer = (rank + 1) % size;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&rank, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
    MPI_Put(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_post(world, 0, win);
    MPI_Win_start(world, 0, win);
    MPI_Get(&other, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    while (!flag)
        MPI_Win_test(win, &flag);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    MPI_Put(&rank, 1, MPI_INT, peer, 2, 1, MPI_INT, win);
    MPI_Win_flush(peer, win);
    MPI_Get(&other, 1, MPI_INT, peer, 2, 1, MPI_INT, win);
    MPI_Win_unlock(peer, win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < 3; i++) {
        MPI_Fetch_and_op(&rank, &other, MPI_INT, 0, 3, MPI_SUM, win);
        MPI_Win_flush_local(0, win);
    }
    MPI_Rget(value, 1, MPI_INT, peer, 2, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rput(value, 1, MPI_INT, peer, 2, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    MPI_Win_fence(0, win);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
