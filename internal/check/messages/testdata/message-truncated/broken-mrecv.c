/* also: call-failed */
/* A matched probe finds a message of four integers, and the receive has room for three. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {0};
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends 4 × MPI_INT to rank 1, whose receive has room for 3 × MPI_INT */
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 3, MPI_INT, &message, MPI_STATUS_IGNORE); /* want: Rank 0 sends 4 × MPI_INT to rank 1 */
    }
    MPI_Finalize();
    return 0;
}
