/* The grid of a distributed array has not as many processes as there are. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int sizes[2] = {8, 8}, ways[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
    int shares[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {1, 1};
    MPI_Datatype part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_darray(size, rank, 2, sizes, ways, shares, grid, MPI_ORDER_C, MPI_INT, &part); /* want: for size 2 with array_of_psizes (`grid`) 1 × 1, a grid of 1 process. */
    MPI_Type_free(&part);
    MPI_Finalize();
    return 0;
}
