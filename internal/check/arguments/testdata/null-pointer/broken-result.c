/* There is nowhere to put the flag. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, 0, &status); /* want: MPI_Test with flag NULL */
    MPI_Finalize();
    return 0;
}
