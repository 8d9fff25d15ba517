/* run: --check=suspicious */
/* Logical arguments are 0 or 1, and there is room for as many coordinates as there are dimensions. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1] = {2}, periods[1] = {1}, coords[1], rank = 0;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, 0, 1, coords);
    MPI_Bcast(&rank, 1, MPI_INT, 0, grid);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
