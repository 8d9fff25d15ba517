/* All ranks give the size that is computed from what all will write. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_preallocate(file, size * sizeof number);
    MPI_File_set_view(file, rank * sizeof number, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_set_atomicity(file, 1);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
