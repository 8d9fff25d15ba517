/* An error handler is never freed. */
#include <mpi.h>

static void tell(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(tell, &handler); /* want: MPI_Finalize with 1 error handler of this MPI_Comm_create_errhandler not freed */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Finalize();
    return 0;
}
