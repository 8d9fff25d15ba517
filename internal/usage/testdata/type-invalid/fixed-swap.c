/* Integers, logical values and bytes may be swapped, and any predefined datatype may be fetched. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double value[2], mine[2], old[2], expected[2];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_create(value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_INT64_T, 0, 0, win);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_BYTE, 0, 0, win);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_SIGNED_CHAR, 0, 0, win);
    MPI_Win_fence(0, win);
    MPI_Fetch_and_op(mine, old, MPI_DOUBLE, 0, 0, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
