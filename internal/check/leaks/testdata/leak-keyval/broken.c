/* An attribute key is never freed. */
#include <stddef.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL); /* want: MPI_Finalize with 1 attribute key of this MPI_Comm_create_keyval not freed */
    MPI_Finalize();
    return 0;
}
