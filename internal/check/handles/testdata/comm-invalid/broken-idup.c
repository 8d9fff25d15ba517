/* The communicator is used before it has been created. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Comm copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Comm_size(copy, &size); /* want: MPI_Comm_size with comm (`copy`) a communicator that MPI_Comm_idup has not finished creating: its request has not been completed. */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
