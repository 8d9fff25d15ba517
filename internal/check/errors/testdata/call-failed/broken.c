/* Errors are returned, as is the default for files, but nobody looks: the file is open for reading only, and should become larger. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 1 << 20); /* want: call to MPI_File_set_size returned an error: */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
