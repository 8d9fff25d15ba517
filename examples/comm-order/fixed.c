/* Fixed: both ranks take the communicators in the same order. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Barrier(first);
    MPI_Barrier(second);
    MPI_Comm_free(&second);
    MPI_Comm_free(&first);

    MPI_Finalize();
    return 0;
}
