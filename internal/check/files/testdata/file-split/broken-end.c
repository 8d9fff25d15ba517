/* The end of another access, then one of none. */
/* also: call-failed rank-died */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_all_begin(file, &number, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &number, MPI_STATUS_IGNORE); /* want: but the pending one is MPI_File_write_all_begin */
    MPI_File_read_all_end(file, &number, MPI_STATUS_IGNORE); /* want: but no MPI_File_read_all_begin is pending on the file */
    MPI_Abort(MPI_COMM_WORLD, 0);
    MPI_Finalize();
    return 0;
}
