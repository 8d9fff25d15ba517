/* No mode at all, and two at once. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file; /* also: call-failed */

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "none", MPI_MODE_CREATE, MPI_INFO_NULL, &file); /* want: it must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR */
    MPI_File_open(MPI_COMM_SELF, "both", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); /* want: it may have only one of */
    MPI_File_open(MPI_COMM_SELF, "both", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file); /* want: sequential access is for either reading or writing */
    MPI_Finalize();
    return 0;
}
