/* A copy of the handle still names the key after it was freed, as long as an attribute has it (MPI-4.0, 7.7.2). */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int key, copy, value = 7, found;
    void *cached;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    copy = key;
    MPI_Comm_free_keyval(&key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, copy, &cached, &found);
    MPI_Finalize();
    return 0;
}
