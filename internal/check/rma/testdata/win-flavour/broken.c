/* The neighbour's part of the window is asked for, but the window is no shared one. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *theirs = 0;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_shared_query(win, 0, &size, &unit, &theirs); /* want: on a window of MPI_Win_allocate; it is for windows of MPI_Win_allocate_shared */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
