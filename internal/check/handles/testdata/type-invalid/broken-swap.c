/* MPI_Compare_and_swap compares integers, no floating-point numbers and no derived datatypes. */
/* only: mpich */ /* Open MPI 4.1 crashes in this MPI_Compare_and_swap. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double mine[2], old[2], expected[2];
    MPI_Datatype pair;
    double *value;
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(4, MPI_BYTE, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_allocate(2 * sizeof *value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &value, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_DOUBLE, 1 - rank, 0, win); /* want: MPI_DOUBLE, which is not an integer, logical or byte type */
    MPI_Win_flush(1 - rank, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_CHAR, 1 - rank, 0, win); /* want: MPI_CHAR, which is not an integer */
    MPI_Win_flush(1 - rank, win);
    MPI_Compare_and_swap(mine, expected, old, pair, 1 - rank, 0, win); /* want: with a derived datatype (`pair`); the call accepts only predefined ones */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
