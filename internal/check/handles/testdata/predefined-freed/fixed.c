/* The variable holds a datatype of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a = 0;
    MPI_Datatype cell;

    MPI_Init(&argc, &argv);
    MPI_Type_dup(MPI_INT, &cell);
    MPI_Bcast(&a, 1, cell, 0, MPI_COMM_WORLD);
    MPI_Type_free(&cell);
    MPI_Finalize();
    return 0;
}
