/* The datatype is committed before it is used. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[10] = {0};
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(5, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Send(a, 1, column, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
