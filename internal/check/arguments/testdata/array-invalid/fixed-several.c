/* What the checks of arrays must let pass. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, none[2], down[1][3] = {{1, 0, -1}}, single[1][3] = {{1, 1, 5}}, nobody[1] = {MPI_PROC_NULL};
    int sizes[2] = {4, 4}, subsizes[2] = {2, 4}, starts[2] = {2, 0};
    int counts[2] = {1, 0}, displs[2] = {0, 7}, in[2] = {0}, out[4];
    int dims[2] = {2, 1}, periods[2] = {1, 0}, coords[2] = {-1, 0};
    int index[2] = {1, 2}, edges[2] = {1, 0}, to[1] = {1}, degree[1] = {1}, from[1] = {0}, one[1];
    MPI_Group world, some;
    MPI_Datatype type;
    MPI_Comm grid, graph, dist;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, down, &some);
    MPI_Group_translate_ranks(some, 1, nobody, world, none);
    MPI_Group_free(&some);
    MPI_Group_range_incl(world, 1, single, &some);
    MPI_Group_free(&some);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_rank(grid, coords, &rank);
    MPI_Cart_get(grid, 2, dims, periods, coords);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgatherv(in, rank == 0, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    MPI_Graph_neighbors(graph, rank, 1, one);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0, from, degree, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&dist);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
