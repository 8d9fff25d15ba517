/* Fixed: rank 0 opens the file on MPI_COMM_SELF. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, "file-missing.tmp", mode, MPI_INFO_NULL, &file);
        MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Finalize();
    return 0;
}
