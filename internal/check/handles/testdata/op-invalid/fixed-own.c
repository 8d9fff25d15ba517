/* Operators of the program work on any datatype, and MPI_REPLACE in a window. */
#include <mpi.h>

static void keep(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char **argv)
{
    double a[2] = {1, 2}, b[2], *memory;
    MPI_Datatype pair;
    MPI_Op first;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(keep, 0, &first);
    MPI_Allreduce(a, b, 1, pair, first, MPI_COMM_WORLD);
    MPI_Op_free(&first);
    MPI_Win_allocate(sizeof b, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(a, 1, pair, 0, 0, 1, pair, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
