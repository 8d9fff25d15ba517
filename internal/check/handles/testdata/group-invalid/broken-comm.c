/* A communicator is no group. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &n); /* want: the handle of MPI_COMM_WORLD, where a group is needed */
    MPI_Finalize();
    return 0;
}
