/* Fixed: rank 0 starts by sending; the work then goes around and comes back to it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, work = 42;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        MPI_Send(&work, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&work, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0)
        MPI_Send(&work, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
