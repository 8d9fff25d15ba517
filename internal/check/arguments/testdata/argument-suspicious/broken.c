/* run: --check=suspicious */
/* The logical arguments are exchanged with a size. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[1] = {2}, periods[1] = {2}, coords[3], rank = 0;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid); /* want: periods[0] 2, which means true like 1 */
    MPI_Cart_coords(grid, 0, 3, coords); /* want: maxdims 3, but the communicator has a grid of 1 dimension */
    MPI_Bcast(&rank, 0, MPI_INT, 0, grid); /* want: count 0 */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
