/* The message is received twice, the second time through a copy of its handle. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, a = 1;
    MPI_Message message, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        alarm(60); /* some libraries never return from the second call */
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        copy = message;
        MPI_Mrecv(&a, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&a, 1, MPI_INT, &copy, MPI_STATUS_IGNORE); /* want: MPI_Mrecv with message (`&copy`) a message that has been received */
    }
    MPI_Finalize();
    return 0;
}
