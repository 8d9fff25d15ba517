/* Fixed: all ranks take part in the exchange. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size = 3, periodic = 1, in[2], out[2] = {1, 2};
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);

    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    if (rank == 0)
        MPI_Send(out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Comm_free(&ring);

    MPI_Finalize();
    return 0;
}
