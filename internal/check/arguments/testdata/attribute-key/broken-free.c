/* The key is made for communicators and freed as one for datatypes. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Type_free_keyval(&key); /* want: type_keyval (`&key`), a key for attributes of a communicator */
    MPI_Win_free_keyval(&key); /* want-mpich: win_keyval (`&key`), a key for attributes of a communicator */
    /* also: leak-keyval keyval-invalid */
    MPI_Finalize();
    return 0;
}
