/* The program looks at what MPI_File_open returns. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 0;
    MPI_File fh = MPI_FILE_NULL;

    MPI_Init(&argc, &argv);
    if (MPI_File_open(MPI_COMM_WORLD, "input.bin", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &fh) == MPI_SUCCESS) {
        MPI_File_read(fh, &n, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&fh);
    }
    MPI_Finalize();
    return 0;
}
