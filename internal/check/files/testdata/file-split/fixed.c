/* The first access is ended before the second one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7, other = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all_begin(file, rank * sizeof number, &number, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &number, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, (2 + rank) * sizeof number, &other, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
