/* run: --check=deprecated */
/* Its successor. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *most, there;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &there);
    MPI_Finalize();
    return 0;
}
