/* An operator is freed. */
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
    MPI_Op_create(keep, 0, &first);
    MPI_Allreduce(&a, &b, 1, MPI_INT, first, MPI_COMM_WORLD);
    MPI_Op_free(&first);
    MPI_Finalize();
    return 0;
}
