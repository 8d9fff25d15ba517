/* Memory is attached twice, and detached by another address. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[4] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_attach(win, value, sizeof value);
    MPI_Win_attach(win, value + 2, sizeof(int)); /* want: with base (`value + 2`) in memory that is already attached to the window */
    MPI_Win_detach(win, value + 1); /* want: at which no attached memory begins */
    MPI_Abort(MPI_COMM_WORLD, 0); /* also: rank-died */
    MPI_Finalize();
    return 0;
}
