/* Wrong: every rank waits for work from anybody, and nobody has sent any. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, work = 42;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Recv(&work, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* every rank waits here */
    MPI_Send(&work, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
