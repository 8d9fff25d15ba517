/* run: -n 3 */
/* Rank 0 alone names the edges of a ring: each rank sends to the next. Rank 2 expects one integer more than rank 1 sends it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, weights[3] = {5, 6, 7}, nodes[3] = {0, 1, 2}, degrees[3] = {1, 1, 1}, to[3] = {1, 2, 0}, send[4] = {0}, recv[4] = {0};
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 : 0, nodes, degrees, to, weights, MPI_INFO_NULL, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Neighbor_allgather(send, 2, MPI_INT, recv, 2, MPI_INT, ring);
    MPI_Neighbor_allgather(send, 2, MPI_INT, recv, rank == 2 ? 3 : 2, MPI_INT, ring); /* want: In MPI_Neighbor_allgather rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 3 × MPI_INT from it */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
