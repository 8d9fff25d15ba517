/* An info object is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *a;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info); /* want: MPI_Finalize with 1 info object of this MPI_Info_create not freed */
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_allocate(sizeof *a, 1, info, MPI_COMM_WORLD, &a, &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
