/* ranks: 3 */
#include "halo.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    start(&argc, &argv);
    MPI_Win_allocate((N + 2) * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &row, &win);
    MPI_Win_lock_all(0, win);
    fill();
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[2];
        double from[2];
        MPI_Rget(&from[0], 1, MPI_DOUBLE, left, N, 1, MPI_DOUBLE, win, &requests[0]);
        MPI_Rget(&from[1], 1, MPI_DOUBLE, right, 1, 1, MPI_DOUBLE, win, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        row[0] = from[0];
        row[N + 1] = from[1];
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
