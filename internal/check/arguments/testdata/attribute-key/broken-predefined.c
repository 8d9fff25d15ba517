/* also: call-failed */
/* A program cannot make the largest tag larger, nor give a window another memory. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag, largest = 1 << 30, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest); /* want: Rank 0 calls MPI_Comm_set_attr with comm_keyval MPI_TAG_UB, a predefined attribute, which is read-only */
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    MPI_Win_delete_attr(win, MPI_WIN_BASE); /* want: Rank 0 calls MPI_Win_delete_attr with win_keyval MPI_WIN_BASE */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
