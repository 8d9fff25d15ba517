/* Fixed: the receive is posted before the send. */
#include <mpi.h>

enum { COUNT = 1 << 20 }; /* 4 MiB of int: no MPI buffers that much */
static int mine[COUNT], theirs[COUNT];

int main(int argc, char **argv)
{
    int rank, other;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;

    MPI_Irecv(theirs, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Send(mine, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
