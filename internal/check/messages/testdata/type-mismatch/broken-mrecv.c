/* run: -n 3 */
/* The message that a matched probe has found is received as floats; it was sent as doubles. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0;
    double mass[4] = {1, 2, 3, 4};
    float received[8];
    MPI_Message message;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(mass, 4, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD); /* want: Rank 1 sends MPI_DOUBLE where rank 0 expects MPI_FLOAT, at element 1 of the data */
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(received, 8, MPI_FLOAT, &message, MPI_STATUS_IGNORE); /* want: Rank 1 sends MPI_DOUBLE where rank 0 expects MPI_FLOAT */
        while (!flag)
            MPI_Improbe(2, 2, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(received, 8, MPI_INT, &message, &request); /* want: Rank 2 sends MPI_DOUBLE where rank 0 expects MPI_INT */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* also: type-variable */
