/* The key was freed before the attribute is set. */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int key, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value); /* want: MPI_Comm_set_attr with comm_keyval (`key`) MPI_KEYVAL_INVALID */
    /* also: attribute-key */
    MPI_Finalize();
    return 0;
}
