/* also: call-failed */
/* The key of the largest tag is MPI's own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int key = MPI_TAG_UB, flag, *largest;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &largest, &flag);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_free_keyval(&key); /* want: calls MPI_Comm_free_keyval with comm_keyval (`&key`) MPI_TAG_UB, which must not be freed */
    MPI_Finalize();
    return 0;
}
