/* The datatype was never made on rank 0. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[4] = {0};
    MPI_Datatype row = MPI_DATATYPE_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(a, 1, row, 1, 0, MPI_COMM_WORLD); /* want: MPI_Send with datatype (`row`) MPI_DATATYPE_NULL */
    else if (rank == 1)
        MPI_Recv(a, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
