/* The grid is for four ranks, but the program may be started with any number. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[2] = {2, 2}, periods[2] = {0, 0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* want: dims 2 × 2, a grid of 4 processes, but MPI_COMM_WORLD has only 2 processes */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
