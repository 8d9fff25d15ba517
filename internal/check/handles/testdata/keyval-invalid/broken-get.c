/* The key is freed before the attribute is asked for: the variable is MPI_KEYVAL_INVALID then, though the attribute lives on. */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int key, value = 7, found;
    void *cached;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &cached, &found); /* want: MPI_Comm_get_attr with comm_keyval (`key`) MPI_KEYVAL_INVALID */
    MPI_Finalize();
    return 0;
}
