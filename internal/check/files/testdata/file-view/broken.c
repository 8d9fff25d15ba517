/* The filetype has 4 bytes, the etype 8. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL); /* want: of 4 bytes, which is not a whole number of etypes: etype (`MPI_DOUBLE`) has 8 bytes */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
