/* The file is open for writing, too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "larger.out", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 1 << 20);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
