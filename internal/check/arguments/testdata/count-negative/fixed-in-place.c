/* With MPI_IN_PLACE a count and a datatype mean nothing, and neither do those that only the root gives. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, all[2] = {0}, mine = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(&mine, 1, MPI_INT, all, rank == 0 ? 1 : -5, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
