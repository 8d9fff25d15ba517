/* run: -n 3 */
/* On a ring, rank 2 expects one integer more of its lower neighbour than that sends it. On a graph, rank 1 receives floats of
   rank 0, which sends integers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, three = 3, send[8] = {0}, recv[8] = {0};
    MPI_Comm ring, line;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &three, &one, 0, &ring);
    int sc[2] = {1, 2}, rc[2] = {2, 1}, at[2] = {0, 4};
    if (rank == 2)
        rc[0] = 3;
    MPI_Neighbor_alltoallv(send, sc, at, MPI_INT, recv, rc, at, MPI_INT, ring); /* want: In MPI_Neighbor_alltoallv rank 1 sends rank 2 2 × MPI_INT, but rank 2 expects 3 × MPI_INT from it */

    int to = rank + 1, from = rank - 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank > 0, &from, MPI_UNWEIGHTED, rank < 2, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &line);
    MPI_Neighbor_allgather(send, 1, MPI_INT, recv, 1, rank == 1 ? MPI_FLOAT : MPI_INT, line); /* want: Rank 0 sends in MPI_Neighbor_allgather MPI_INT where rank 1 expects MPI_FLOAT, at element 1 */
    MPI_Comm_free(&line);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
/* also: type-variable */
