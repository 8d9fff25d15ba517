/* The variable may hold a predefined datatype, which must not be freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a = 0;
    MPI_Datatype cell;

    MPI_Init(&argc, &argv);
    cell = MPI_INT;
    MPI_Bcast(&a, 1, cell, 0, MPI_COMM_WORLD);
    MPI_Type_free(&cell); /* want: datatype (`&cell`) MPI_INT, which must not be freed */
    MPI_Finalize();
    return 0;
}
