/* The count is of planes; the last one ends before its gap. */
#include <mpi.h>

static float mine[60] = {1}, all[120] = {1};

int main(int argc, char **argv)
{
    MPI_Datatype plane;

    MPI_Init(&argc, &argv); /* run: -n 2 */
    MPI_Type_vector(8, 4, 8, MPI_FLOAT, &plane);
    MPI_Type_commit(&plane);
    MPI_Allgather(mine, 1, plane, all, 1, plane, MPI_COMM_WORLD);
    MPI_Type_free(&plane);
    MPI_Finalize();
    return 0;
}
