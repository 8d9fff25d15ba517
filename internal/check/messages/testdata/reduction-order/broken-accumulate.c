/* run: -n 3 --check=reduction-order */
/* All ranks add a floating-point number to one place. */
#include <mpi.h>

int main(int argc, char **argv)
{
    float part = 0.1f, *counter;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(float), sizeof(float), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    *counter = 0;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&part, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, MPI_SUM, win); /* want: makes 1 reduction on floating-point numbers, the first by MPI_Accumulate with MPI_SUM, at 1 call site */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
