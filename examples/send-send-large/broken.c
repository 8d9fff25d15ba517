/* Wrong: both ranks send 4 MiB before they receive, and each send waits for the other rank's receive. */
#include <mpi.h>

enum { COUNT = 1 << 20 }; /* 4 MiB of int: no MPI buffers that much */
static int mine[COUNT], theirs[COUNT];

int main(int argc, char **argv)
{
    int rank, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;

    MPI_Send(mine, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD); /* both ranks wait here */
    MPI_Recv(theirs, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
