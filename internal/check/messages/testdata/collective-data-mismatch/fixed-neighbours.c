/* run: -n 4 */
/* Neighbours exchange what each expects: on a grid with and without an end, on a ring of two with two edges to the same rank, on
   graphs in which ranks have different numbers of neighbours, blocking and not. */
#include <mpi.h>

static void grid(int n, const int *dims, const int *periods)
{
    int rank, send[64] = {0}, recv[64] = {0}, sc[8], rc[8], at[8];
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    for (int i = 0; i < n; i++) {
        int low, high;
        MPI_Cart_shift(cart, i, 1, &low, &high);
        sc[2 * i] = sc[2 * i + 1] = 1 + rank;
        rc[2 * i] = low == MPI_PROC_NULL ? 0 : 1 + low;
        rc[2 * i + 1] = high == MPI_PROC_NULL ? 0 : 1 + high;
        at[2 * i] = 16 * i, at[2 * i + 1] = 16 * i + 8;
    }
    MPI_Neighbor_alltoallv(send, sc, at, MPI_INT, recv, rc, at, MPI_INT, cart);
    MPI_Neighbor_alltoall(send, 2, MPI_INT, recv, 2, MPI_INT, cart);
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv)
{
    int rank, send[16] = {0}, recv[16] = {0};
    MPI_Comm star, hub;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    grid(2, (int[]){2, 2}, (int[]){0, 0});
    grid(2, (int[]){2, 2}, (int[]){1, 0});
    grid(1, (int[]){4}, (int[]){1});

    /* Rank 0 in the middle: node 0 has three neighbours, the others one. Each edge has a number of its own. */
    MPI_Graph_create(MPI_COMM_WORLD, 4, (int[]){3, 4, 5, 6}, (int[]){1, 2, 3, 0, 0, 0}, 0, &star);
    int out[3] = {1, 2, 3}, in[3] = {2, 3, 4}, at[3] = {0, 4, 8};
    if (rank > 0)
        out[0] = rank + 1, in[0] = rank;
    MPI_Neighbor_alltoallv(send, out, at, MPI_INT, recv, in, at, MPI_INT, star);
    MPI_Comm_free(&star);

    /* All give to rank 0, which gives to nobody. */
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? 4 : 0, (int[]){0, 1, 2, 3}, MPI_UNWEIGHTED, 1, (int[]){0}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &hub);
    MPI_Ineighbor_allgatherv(send, rank + 1, MPI_INT, recv, (int[]){1, 2, 3, 4}, (int[]){0, 1, 3, 6}, MPI_INT, hub, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&hub);
    MPI_Finalize();
    return 0;
}
