/* MPI_MODE_CREATE does not say that the file is written. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;

    MPI_Init(&argc, &argv);
    if (MPI_File_open(MPI_COMM_WORLD, "results.dat", MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS) /* want: MPI_MODE_RDONLY | MPI_MODE_CREATE; a read-only file cannot be created */
        MPI_File_close(&file); /* also: call-failed */
    MPI_Finalize();
    return 0;
}
