/* The key is set before the info object is made. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info = MPI_INFO_NULL;

    MPI_Init(&argc, &argv);
    MPI_Info_set(info, "no_locks", "true"); /* want: MPI_Info_set with info MPI_INFO_NULL */
    MPI_Finalize();
    return 0;
}
