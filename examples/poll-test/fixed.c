/* Fixed: rank 0 sends the input before it polls. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, done = 0, input = 7, result = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Irecv(&result, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&input, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            usleep(1000);
        }
    } else {
        MPI_Recv(&input, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&input, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
