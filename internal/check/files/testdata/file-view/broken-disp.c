/* The displacement overflows in 32 bits; the current one is for sequential files. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    int far = 1 << 20;
    MPI_File_set_view(file, (int)((unsigned)far * 2048u), MPI_INT, MPI_INT, "native", MPI_INFO_NULL); /* want: -2147483648; it must be 0 or more */
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); /* want: MPI_DISPLACEMENT_CURRENT, which is for files of MPI_MODE_SEQUENTIAL only */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
