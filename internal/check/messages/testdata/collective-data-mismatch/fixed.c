/* What the root expects is the part of one rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, part[4] = {0}, all[4 * 16];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gather(part, 4, MPI_INT, all, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
