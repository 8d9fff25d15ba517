/* The info object is made first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info = MPI_INFO_NULL;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
