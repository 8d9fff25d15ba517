/* An offset in a file of sequential access. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "log", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL) {
        MPI_File_write_shared(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_seek(file, 0, MPI_SEEK_SET); /* want: on a file that it opened with MPI_MODE_SEQUENTIAL */
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
