/* MPI's own attributes are read, on communicators and windows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag, keys[] = {MPI_TAG_UB, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE};
    void *value, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 6; i++)
        MPI_Comm_get_attr(MPI_COMM_WORLD, keys[i], &value, &flag);
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
