/* Arrays of many calls, each with an entry that may not be there. Errors return, so that all are reached;
   the last one crashes in some libraries. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, twice[2] = {1, 1};
    int ranges[1][3] = {{0, 1, 0}}, away[1][3] = {{1, 0, 1}}, over[2][3] = {{0, 1, 1}, {1, 1, 1}};
    int sizes[2] = {4, 4}, subsizes[2] = {2, 5}, starts[2] = {3, 0};
    int counts[2] = {1, -1}, displs[2] = {0, 1}, in[2] = {0}, out[4];
    int dims[2] = {2, 1}, periods[2] = {1, 0}, coords[2] = {5, 1};
    int index[2] = {1, 2}, edges[2] = {1, 2};
    MPI_Group world, some;
    MPI_Datatype type;
    MPI_Comm grid, graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed collective-data-mismatch rank-died */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 2, twice, &some); /* want: ranks (`twice`)[1] 1; ranks (`twice`)[0] is the same; duplicates are not allowed */
    MPI_Group_range_incl(world, 1, ranges, &some); /* want: [0] (first 0, last 1, stride 0); the stride must not be 0 */
    MPI_Group_range_incl(world, 1, away, &some); /* want: the stride leads away from the last rank */
    MPI_Group_range_excl(world, 2, over, &some); /* want: (`over`)[1] (first 1, last 1, stride 1); rank 1 is in ranges (`over`)[0] too */
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type); /* want: array_of_starts (`starts`)[0] 3; it must be between 0 and 2, as the subarray has 2 of 4 elements in that dimension */
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    MPI_Cart_rank(grid, coords, &rank); /* want: coords[1] 1; the grid has 1 process in this dimension (0 to 0), which is not periodic */
    MPI_Cart_get(grid, 1, dims, periods, coords); /* want: maxdims 1, but the communicator has a grid of 2 dimensions */
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph); /* want: edges[1] 2; the graph has 2 nodes (0 to 1) */
    MPI_Allgatherv(in, 1, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD); /* want: recvcounts (`counts`)[1] -1; it must be 0 or more */
    exit(0);
}
