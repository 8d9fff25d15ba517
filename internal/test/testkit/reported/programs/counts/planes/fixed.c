#include <mpi.h>
#include <stdlib.h>

static float mine[64], all[128];

int main(int argc, char **argv)
{
    MPI_Datatype plane;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(8, 4, 8, MPI_FLOAT, &plane);
    MPI_Type_commit(&plane);
    MPI_Allgather(mine, 1, plane, all, 1, plane, MPI_COMM_WORLD);
    MPI_Type_free(&plane);
    MPI_Finalize();
    return 0;
}
