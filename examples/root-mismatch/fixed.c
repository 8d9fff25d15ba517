/* Fixed: the root is the same on all ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, root, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    root = 0;
    MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
