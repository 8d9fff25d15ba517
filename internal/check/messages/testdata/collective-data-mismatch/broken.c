/* The root of the gather names the size of the whole array instead of each rank's part. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, part[4] = {0}, all[4 * 16];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Gather(part, 4, MPI_INT, all, 4 * size, MPI_INT, 0, MPI_COMM_WORLD); /* want: sends rank 0 4 × MPI_INT, but rank 0 expects 8 × MPI_INT from it */
    MPI_Finalize();
    return 0;
}
