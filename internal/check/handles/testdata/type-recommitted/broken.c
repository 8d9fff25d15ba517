/* The datatype is committed in each step. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a[4] = {0};
    MPI_Datatype row;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(4, MPI_INT, &row);
    for (int step = 0; step < 3; step++) {
        MPI_Type_commit(&row); /* want: datatype (`&row`) a datatype that is already committed */
        MPI_Bcast(a, 1, row, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
