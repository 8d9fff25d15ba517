/* The window is used after it was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *a;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof *a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &a, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Win_fence(0, win); /* want: MPI_Win_fence with win MPI_WIN_NULL */
    MPI_Finalize();
    return 0;
}
