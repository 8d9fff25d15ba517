/* The file is not there, and nobody looks at what MPI_File_open returns. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 0;
    MPI_File fh = MPI_FILE_NULL;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "/nowhere/input", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
    MPI_File_read(fh, &n, 1, MPI_INT, MPI_STATUS_IGNORE); /* want: MPI_File_read with fh MPI_FILE_NULL */
    /* also: call-failed rank-invalid */
    MPI_Finalize();
    return 0;
}
