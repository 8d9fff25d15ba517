/* The tags count down from the greatest that the library allows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, there, *most;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &there);
    int tag = there ? *most - 1 : 32766;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
