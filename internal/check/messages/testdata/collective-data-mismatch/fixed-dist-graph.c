/* run: -n 3 */
/* Rank 0 names all edges: 0 and 1 send to each other, 1 sends to 2, twice, and 2 to itself, more than the others. The graph is a copy of one that has been freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, nodes[3] = {0, 1, 2}, degrees[3] = {1, 3, 1}, to[5] = {1, 0, 2, 2, 2}, weights[5] = {1, 2, 3, 4, 5}, send[8] = {0}, recv[8] = {0};
    MPI_Comm graph, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 : 0, nodes, degrees, to, weights, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_dup(graph, &copy);
    MPI_Comm_free(&graph);
    int nin, nout, weighted, in[8], out[8], some[8];
    MPI_Dist_graph_neighbors_count(copy, &nin, &nout, &weighted);
    MPI_Dist_graph_neighbors(copy, nin, in, some, nout, out, some);
    int sc[8], rc[8], at[8];
    for (int i = 0; i < 8; i++)
        at[i] = i;
    for (int i = 0; i < nout; i++)
        sc[i] = rank == out[i] ? 3 : 1;
    for (int i = 0; i < nin; i++)
        rc[i] = rank == in[i] ? 3 : 1;
    for (int i = 0, next = 0; i < nin; next += rc[i++])
        at[i] = next;
    int from[8];
    for (int i = 0, next = 0; i < nout; next += sc[i++])
        from[i] = next;
    MPI_Neighbor_alltoallv(send, sc, from, MPI_INT, recv, rc, at, MPI_INT, copy);
    MPI_Neighbor_allgather(send, 1, MPI_INT, recv, 1, MPI_INT, copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
