/* Fixed: both ranks broadcast first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Comm data;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &data);
    MPI_Bcast(&value, 1, MPI_INT, 1, data);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&data);

    MPI_Finalize();
    return 0;
}
