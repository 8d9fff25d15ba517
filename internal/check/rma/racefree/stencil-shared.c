/* ranks: 3 */
#include "halo.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Aint bytes;
    int unit;
    double *of_left, *of_right;
    start(&argc, &argv);
    MPI_Win_allocate_shared((N + 2) * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &row, &win);
    MPI_Win_shared_query(win, left, &bytes, &unit, &of_left);
    MPI_Win_shared_query(win, right, &bytes, &unit, &of_right);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    fill();
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_sync(win);
        double first = of_left[N], last = of_right[1];
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        row[0] = first;
        row[N + 1] = last;
        relax();
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    finish();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
