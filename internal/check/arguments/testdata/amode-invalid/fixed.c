/* A file that is created is written. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;

    MPI_Init(&argc, &argv);
    if (MPI_File_open(MPI_COMM_WORLD, "results.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
