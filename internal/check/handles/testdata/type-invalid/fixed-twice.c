/* A datatype and its copy are freed, each once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int a[10] = {0};
    MPI_Datatype column, kept;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(5, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_dup(column, &kept);
    MPI_Bcast(a, 1, column, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Type_free(&kept);
    MPI_Finalize();
    return 0;
}
