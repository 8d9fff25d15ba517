/* The variable that is received into is gone when the message comes. */
#include <mpi.h>

static void begin(int from, MPI_Request *r)
{
    int value;

    MPI_Irecv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, r); /* want: MPI_Irecv with buf (`&value`) on the stack, and the function that owns that variable returns before the operation is completed */
}                                                              /* note: it returned before the call by MPI_Send at main (broken.c:19) */

int main(int argc, char **argv)
{
    int rank;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin(1 - rank, &r);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
