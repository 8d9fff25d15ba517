/* MPI_IN_PLACE in the place of a message, and of the wrong buffer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&sum, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* want: recvbuf MPI_IN_PLACE; it is allowed for sendbuf only */
    MPI_Send(MPI_IN_PLACE, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
