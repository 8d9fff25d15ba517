/* The error of a message that is too long is returned by the receive, and by the wait for another one. That a call failed is no finding of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, buffer[8] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Send(buffer, 8, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 sends 8 × MPI_INT to rank 1, whose receive has room for 4 × MPI_INT. */
        MPI_Send(buffer, 6, MPI_INT, 1, 1, MPI_COMM_WORLD); /* want: Rank 0 sends 6 × MPI_INT to rank 1, whose receive has room for 3 × MPI_INT. */
    } else {
        MPI_Recv(buffer, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(buffer, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
