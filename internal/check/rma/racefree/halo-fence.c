/* ranks: 4 */
#include "halo.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    start(&argc, &argv);
    MPI_Win_allocate((N + 2) * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &row, &win);
    fill();
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_fence(0, win);
        MPI_Put(&row[1], 1, MPI_DOUBLE, left, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&row[N], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
        relax();
    }
    finish();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
