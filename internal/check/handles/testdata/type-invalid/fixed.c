/* The datatype is freed after its last use. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[4] = {0};
    MPI_Datatype row, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    copy = row;
    if (rank == 0)
        MPI_Send(a, 1, copy, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(a, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
