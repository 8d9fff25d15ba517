/* The file was opened for writing only; the read just returns an error code. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, rank * sizeof number, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, rank * sizeof number, &number, 1, MPI_INT, MPI_STATUS_IGNORE); /* want: on a file that it opened with MPI_MODE_WRONLY */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
