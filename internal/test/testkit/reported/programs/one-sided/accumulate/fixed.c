#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mine[4] = {1, 1, 1, 1}, sums[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(sums, sizeof sums, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++)
        MPI_Accumulate(mine, 4, MPI_DOUBLE, 0, 0, 4, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
