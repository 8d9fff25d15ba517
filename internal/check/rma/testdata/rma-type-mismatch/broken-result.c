/* The result of an update is taken as another type. */
/* also: call-failed rank-died */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int number = 1;
    double seen;
    double *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Get_accumulate(&number, 1, MPI_INT, &seen, 1, MPI_DOUBLE, 1, 0, 1, MPI_INT, MPI_SUM, win); /* want: MPI_Get_accumulate with target_datatype and result_datatype, which do not match: the target has MPI_INT where the result has MPI_DOUBLE */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
