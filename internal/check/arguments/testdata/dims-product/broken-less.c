/* A grid of one process leaves the other out; a fixed size of 3 does not divide 2 ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1] = {1}, periods[1] = {0}, sizes[2] = {3, 0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid); /* want: a grid of 1 process, but MPI_COMM_WORLD has 2: 1 of them gets MPI_COMM_NULL */
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Dims_create(2, 2, sizes); /* want: which cannot be completed: 2 is not a multiple of 3 */
    MPI_Finalize();
    return 0;
}
