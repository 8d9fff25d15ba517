/* Each rank preallocates what it will write itself. */
/* also: call-failed */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 7;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_preallocate(file, (rank + 1) * sizeof number); /* want: 8, rank 0 with 4; it must be the same on all ranks of the file */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
