/* An info object is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *a;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_allocate(sizeof *a, 1, info, MPI_COMM_WORLD, &a, &win);
    MPI_Win_free(&win);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
