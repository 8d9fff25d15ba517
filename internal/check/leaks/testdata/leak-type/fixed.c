/* A datatype is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a[4] = {0};
    MPI_Datatype row[3];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        MPI_Type_contiguous(4, MPI_INT, &row[i]);
        MPI_Type_commit(&row[i]);
        MPI_Bcast(a, 1, row[i], 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++)
        MPI_Type_free(&row[i]);
    MPI_Finalize();
    return 0;
}
