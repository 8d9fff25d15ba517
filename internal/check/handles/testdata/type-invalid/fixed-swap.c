/* Integers, logical values and bytes may be swapped, and any predefined datatype may be fetched. */
/* only: mpich */ /* Open MPI 4.1 crashes in this MPI_Compare_and_swap. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double mine[2], old[2], expected[2];
    double *value;
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &value, &win);
    MPI_Win_lock_all(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_INT64_T, 1 - rank, 0, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_BYTE, 1 - rank, 0, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_SIGNED_CHAR, 1 - rank, 0, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Fetch_and_op(mine, old, MPI_DOUBLE, 1 - rank, 0, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
