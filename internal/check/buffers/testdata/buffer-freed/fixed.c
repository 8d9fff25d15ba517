/* The variable that is received into belongs to the function that waits. */
#include <mpi.h>

static void begin(int *value, int from, MPI_Request *r)
{
    MPI_Irecv(value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, r);
}

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin(&value, 1 - rank, &r);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
