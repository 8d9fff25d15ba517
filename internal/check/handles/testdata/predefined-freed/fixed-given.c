/* What a call has given is freed, whatever it is. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Group all, none;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_difference(all, all, &none);
    if (none != MPI_GROUP_EMPTY)
        MPI_Group_free(&none);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
