/* The datatype is committed once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a[4] = {0};
    MPI_Datatype row;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    for (int step = 0; step < 3; step++)
        MPI_Bcast(a, 1, row, 0, MPI_COMM_WORLD);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
