/* run: -n 1
   An offset of more than 2 GiB is computed in an int. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 1, offset = (int)(4u * 550000000u);
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "overflow.tmp", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, offset, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* want: an int that overflows becomes this instead of 2200000000: compute the number with 64 bits */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
