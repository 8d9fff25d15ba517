/* ranks: 4 */
#include "halo.h"

int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Group all, neighbours;
    start(&argc, &argv);
    MPI_Win_allocate((N + 2) * sizeof *row, sizeof *row, MPI_INFO_NULL, MPI_COMM_WORLD, &row, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, (int[]){left, right}, &neighbours);
    fill();
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_post(neighbours, 0, win);
        MPI_Win_start(neighbours, 0, win);
        MPI_Put(&row[1], 1, MPI_DOUBLE, left, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&row[N], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        relax();
    }
    finish();
    MPI_Group_free(&neighbours);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
