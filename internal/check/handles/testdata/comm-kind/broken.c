/* The neighbours are asked of MPI_COMM_WORLD instead of the grid. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, left, right, periodic = 1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &left, &right); /* want: MPI_Cart_shift with comm MPI_COMM_WORLD, which has no Cartesian topology */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
