/* run: -n 1
   A type is freed by an error handler of the program's. */
#include <mpi.h>

static MPI_Datatype type;

static void handler(MPI_Comm *comm, int *code, ...)
{
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Errhandler errhandler;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_Finalize();
    return 0;
}
