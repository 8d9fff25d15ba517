/* The messages go to processes that were started later, outside of MPI_COMM_WORLD. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, children);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
