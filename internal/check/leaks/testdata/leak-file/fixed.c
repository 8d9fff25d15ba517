/* A file is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File fh;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "/tmp", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
    MPI_File_close(&fh);
    MPI_Finalize();
    return 0;
}
