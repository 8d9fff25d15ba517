/* reported: open-mpi/ompi 2743, the buffers are allocated in floats and the count is of planes */
#include <mpi.h>
#include <stdlib.h>

static float mine[64], all[128];

int main(int argc, char **argv)
{
    MPI_Datatype plane;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(8, 4, 8, MPI_FLOAT, &plane);
    MPI_Type_commit(&plane);
    MPI_Allgather(mine, 32, plane, all, 32, plane, MPI_COMM_WORLD); /* want: buffer-outside: the variable */
    MPI_Type_free(&plane);
    MPI_Finalize();
    return 0;
}
/* also: rank-died */
