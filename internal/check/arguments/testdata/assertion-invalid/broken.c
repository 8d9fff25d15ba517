/* The assertion of MPI_Win_fence is given to MPI_Win_post. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *value;
    MPI_Group world;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_allocate(sizeof *value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &value, &win);
    MPI_Win_post(world, MPI_MODE_NOPRECEDE, win); /* want: assert MPI_MODE_NOPRECEDE; the call accepts MPI_MODE_NOCHECK, MPI_MODE_NOSTORE and MPI_MODE_NOPUT */
    MPI_Win_start(world, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_free(&win);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
