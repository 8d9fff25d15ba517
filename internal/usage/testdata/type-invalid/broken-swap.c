/* MPI_Compare_and_swap compares integers, no floating-point numbers and no derived datatypes. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double value[2], mine[2], old[2], expected[2];
    MPI_Datatype pair;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(4, MPI_BYTE, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_create(value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_DOUBLE, 0, 0, win); /* want: MPI_DOUBLE, which is no integer, logical value or byte */
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, MPI_CHAR, 0, 0, win); /* want: MPI_CHAR, which is no integer */
    MPI_Win_fence(0, win);
    MPI_Compare_and_swap(mine, expected, old, pair, 0, 0, win); /* want: with datatype (`pair`) a derived one; the call takes predefined ones only */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
