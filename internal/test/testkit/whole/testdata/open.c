/* Rank 2 posts a receive from any source, and receives from any source before it waits for that. If the first receive meets the message
   of rank 1 and the second that of rank 0, rank 2 waits for a message that nobody sends, and never gets to waiting for the first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[3] = {0}, told = 0;
    MPI_Request first;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Recv(&told, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Irecv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first);
        MPI_Recv(&x[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 0)
            MPI_Recv(&x[2], 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&first, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
