/* The neighbours are asked of the grid. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, left, right, periodic = 1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
