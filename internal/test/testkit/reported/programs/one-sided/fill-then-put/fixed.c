/* by: unknot -O1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, *view;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &view, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 16; i++)
        view[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Put(&one, 1, MPI_INT, 1 - rank, 3, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
