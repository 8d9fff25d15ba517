/* Fixed: both ranks use tag 5. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, arrived = 0, value = 7, answer = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        while (!arrived) {
            MPI_Iprobe(1, 5, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
            usleep(1000);
        }
        MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Isend(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Recv(&answer, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    MPI_Finalize();
    return 0;
}
