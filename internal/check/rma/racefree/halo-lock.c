/* ranks: 4 */
#include "halo.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    start(&argc, &argv);
    MPI_Win_allocate((N + 2) * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &row, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    fill();
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        double first = row[1], last = row[N];
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left, 0, win);
        MPI_Put(&first, 1, MPI_DOUBLE, left, N + 1, 1, MPI_DOUBLE, win);
        MPI_Win_unlock(left, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
        MPI_Put(&last, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_unlock(right, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        relax();
        MPI_Win_unlock(rank, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    finish();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
