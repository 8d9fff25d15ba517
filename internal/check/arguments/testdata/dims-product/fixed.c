/* MPI_Dims_create chooses sizes that fit the number of ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
