/* The communicator is freed by a function that MPI calls when the attribute goes. */
#include <stdlib.h>
#include <mpi.h>

static int drop(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    MPI_Comm_free(value);
    free(value);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key;
    MPI_Comm outer, *inner = malloc(sizeof *inner);

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_dup(MPI_COMM_WORLD, inner);
    MPI_Comm_set_attr(outer, key, inner);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&outer);
    MPI_Finalize();
    return 0;
}
