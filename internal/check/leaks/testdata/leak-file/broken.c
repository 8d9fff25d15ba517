/* A file is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File fh;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "/tmp", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); /* want: MPI_Finalize with 1 file of this MPI_File_open not closed */
    MPI_Finalize();
    return 0;
}
