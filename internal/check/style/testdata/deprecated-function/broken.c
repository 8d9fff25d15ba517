/* run: --check=deprecated */
/* A function from before there were attributes of datatypes and windows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *most, there;

    MPI_Init(&argc, &argv);
    MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &most, &there); /* want: MPI_Attr_get, which is deprecated; use MPI_Comm_get_attr instead */
    MPI_Finalize();
    return 0;
}
