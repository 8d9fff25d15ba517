/* The operator is freed before its last use. */
#include <mpi.h>

static void keep(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char **argv)
{
    int a = 1, b;
    MPI_Op first, copy;

    MPI_Init(&argc, &argv);
    MPI_Op_create(keep, 0, &first);
    copy = first;
    MPI_Op_free(&first);
    MPI_Allreduce(&a, &b, 1, MPI_INT, copy, MPI_COMM_WORLD); /* want: MPI_Allreduce with op (`copy`) an operator that has been freed */
    MPI_Finalize();
    return 0;
}
