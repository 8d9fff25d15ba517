/* Not all ranks have a place. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1] = {1}, none[1] = {0}, place;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Cart_map(MPI_COMM_WORLD, 1, dims, none, &place); /* want: but MPI_COMM_WORLD has 2: 1 of them gets MPI_UNDEFINED for their rank */
    MPI_Cart_create(MPI_COMM_WORLD, 0, dims, none, 0, &grid); /* want: MPI_Cart_create with ndims 0, a grid of 1 process, but MPI_COMM_WORLD has 2: 1 of them gets MPI_COMM_NULL */
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
