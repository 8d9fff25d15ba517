/* A duplicate has the topology, and MPI_Intercomm_create asks the leader only for the other communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, n, periodic = 1, a[2] = {1, 2}, b[2];
    MPI_Comm ring, twin, half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Comm_dup(ring, &twin);
    MPI_Cartdim_get(twin, &n);
    MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, twin);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, rank < 2 ? MPI_COMM_WORLD : MPI_COMM_NULL, 1 - rank % 2, 5, &both);
    MPI_Comm_remote_size(both, &n);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&ring);
    /* run: -n 4 */
    MPI_Finalize();
    return 0;
}
