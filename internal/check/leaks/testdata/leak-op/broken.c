/* An operator is never freed. */
#include <mpi.h>

static void keep(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char **argv)
{
    int a = 1, b;
    MPI_Op first;

    MPI_Init(&argc, &argv);
    MPI_Op_create(keep, 0, &first); /* want: MPI_Finalize with 1 operator of this MPI_Op_create not freed */
    MPI_Allreduce(&a, &b, 1, MPI_INT, first, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
