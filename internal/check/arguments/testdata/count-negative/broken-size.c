/* Sizes that came out negative. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int dims[1] = {0};
    char buffer[16];
    MPI_Win win;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed rank-died */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_vector(2, -1, 4, MPI_INT, &type); /* want: blocklength -1; it must be 0 or more */
    MPI_Dims_create(2, -1, dims); /* want: ndims -1; it must be 0 or more */
    MPI_Win_create(buffer, -16, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win); /* want: size -16; it must be 0 or more */
    exit(0);
}
