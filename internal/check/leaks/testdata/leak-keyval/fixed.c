/* An attribute key is freed. */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
