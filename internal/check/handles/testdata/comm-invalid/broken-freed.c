/* A copy of the handle is used after the communicator was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm mine, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    copy = mine;
    MPI_Comm_free(&mine);
    MPI_Barrier(copy); /* want: MPI_Barrier with comm (`copy`) a communicator that has been freed */
    /* note: it was freed by MPI_Comm_free at main (broken-freed.c: */
    MPI_Finalize();
    return 0;
}
