/* Wrong: rank 0 polls for rank 1's result, rank 1 waits for the input that rank 0 sends afterwards. */
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
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* rank 0 polls here */
            usleep(1000);
        }
        MPI_Send(&input, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&input, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 1 waits here */
        MPI_Send(&input, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
