/* A datatype is freed by two handles. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a[10] = {0};
    MPI_Datatype column, kept;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(5, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    kept = column;
    MPI_Bcast(a, 1, column, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Type_free(&kept); /* want: MPI_Type_free with datatype (`&kept`) a datatype that has been freed */
    MPI_Finalize();
    return 0;
}
