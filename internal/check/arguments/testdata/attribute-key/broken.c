/* The key is made for datatypes and used with a communicator. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int key, value = 1;

    MPI_Init(&argc, &argv);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value); /* want: comm_keyval (`key`), a key for attributes of a datatype */
    /* note: it was created by MPI_Type_create_keyval at main (broken.c:10) */
    MPI_Type_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
